/**
 * `completions SHELL`: prints the completion script; `install` and `uninstall`
 * put it where the shell reads it by itself.
 * @module
 */
import { UsageError } from "../../core/errors.ts";
import { absolutePath } from "../absolute_path.ts";
import type { Input } from "../command.ts";
import { COMMAND_TABLE } from "../command_table.ts";
import { installScript, uninstallScript } from "../completions/install.ts";
import { completionPath, type Scope, type Shell } from "../completions/places.ts";
import type { Context } from "../context.ts";
import { isOn, requiredWord, text, word } from "../input.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { shellQuote } from "../shell_quote.ts";

/** Where distributions keep what makes bash look for completions. */
const BASH_COMPLETION = [
  "/usr/share/bash-completion/bash_completion",
  "/usr/local/share/bash-completion/bash_completion",
  "/etc/bash_completion",
];

/** Folders that `install` may have made in a home: `bash-completion/completions`, `zsh/site-functions`, `fish/completions`. */
const OWN_FOLDERS = 2;

export async function run(context: Context, input: Input): Promise<void> {
  // The parser has checked both words against their choices.
  const shell = requiredWord(input, 0) as Shell;
  const action = word(input, 1);
  const place = placeOf(input);
  if (action === undefined) {
    if (place !== undefined) throw new UsageError(`Cannot use --${place} without install or uninstall`);
    context.write(await scriptFor(shell));
    return;
  }
  const scope = scopeOf(input);
  const path = completionPath(shell, scope, context.env);
  if (action === "install") await install(context, shell, { scope, path });
  else await uninstall(context, shell, { scope, path });
}

async function install(context: Context, shell: Shell, { scope, path }: { scope: Scope; path: string }): Promise<void> {
  const changed = await installScript(path, await scriptFor(shell));
  if (isJsonFormat(context)) printJson(context, { shell, path, changed });
  else context.print(path);
  if (!changed) context.note("It was there already");
  const next = await nextStep(context, shell, { scope, path });
  for (const line of next ?? [`New ${shell} sessions complete queuectl`]) context.note(line);
}

async function uninstall(
  context: Context,
  shell: Shell,
  { scope, path }: { scope: Scope; path: string },
): Promise<void> {
  const removed = await uninstallScript(path, { folders: scope.kind === "user" ? OWN_FOLDERS : 0 });
  if (isJsonFormat(context)) printJson(context, { shell, path, removed });
  else if (removed) context.print(path);
  if (!removed) context.note(`Nothing to remove: there is no ${path}`);
}

/** What the user has still to do, as lines, where the shell does not read the file by itself. */
async function nextStep(
  context: Context,
  shell: Shell,
  { scope, path }: { scope: Scope; path: string },
): Promise<readonly string[] | undefined> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  switch (shell) {
    case "bash":
      if (scope.kind === "folder") return ["To use it, add this line to ~/.bashrc:", `  . ${shellQuote(path)}`];
      if (await anyExists(BASH_COMPLETION)) return undefined;
      return [
        "bash reads it by itself with the package bash-completion. Without it, add this line to ~/.bashrc:",
        `  . ${shellQuote(path)}`,
      ];
    case "zsh":
      if (scope.kind === "system" || await isInZshrc(context, folder)) return undefined;
      return [
        "zsh reads no folder of yours by itself. To use it, add this line to the end of ~/.zshrc:",
        `  fpath=(${shellQuote(folder)} $fpath); autoload -Uz compinit; compinit`,
      ];
    case "fish":
      if (scope.kind !== "folder") return undefined;
      return ["To use it, add this line to ~/.config/fish/config.fish:", `  source ${shellQuote(path)}`];
  }
}

async function anyExists(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => Deno.stat(path).then(() => true, () => false)));
  return found.includes(true);
}

/** Whether the user has added the line before. A folder may be written with `~` or `$HOME`. */
async function isInZshrc(context: Context, folder: string): Promise<boolean> {
  const home = context.env("HOME") ?? "";
  const spelled = folder.startsWith(`${home}/`)
    ? [folder, `~${folder.slice(home.length)}`, `$HOME${folder.slice(home.length)}`]
    : [folder];
  const text = await Deno.readTextFile(`${context.env("ZDOTDIR") || home}/.zshrc`).catch(() => "");
  return text.split("\n").some((line) => !/^\s*#/.test(line) && spelled.some((each) => line.includes(each)));
}

/** The option that says where, when there is one. */
function placeOf(input: Input): string | undefined {
  const given = ["user", "system", "dir"].filter((name) => input.flags.has(name));
  if (given.length > 1) throw new UsageError(`Cannot use --${given.join(" with --")}: they name different places`);
  return given[0];
}

/** For root that is for everybody: behind sudo, HOME may be the home of someone else. */
function scopeOf(input: Input): Scope {
  const folder = text(input, "dir");
  if (folder !== undefined) return { kind: "folder", folder: absolutePath(folder) };
  if (isOn(input, "system")) return { kind: "system" };
  if (isOn(input, "user")) return { kind: "user" };
  return { kind: Deno.uid() === 0 ? "system" : "user" };
}

async function scriptFor(shell: Shell): Promise<string> {
  switch (shell) {
    case "bash":
      return (await import("../completions/bash.ts")).bashCompletion(COMMAND_TABLE);
    case "zsh":
      return (await import("../completions/zsh.ts")).zshCompletion(COMMAND_TABLE);
    case "fish":
      return (await import("../completions/fish.ts")).fishCompletion(COMMAND_TABLE);
  }
}
