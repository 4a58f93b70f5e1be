/**
 * Where each shell looks for completions by itself.
 *
 * bash-completion and fish look into the home folder. zsh looks into no folder
 * of a user, so there the user adds a line to ~/.zshrc: rc files are never
 * changed here.
 * @module
 */
import { QueuectlError } from "../../core/errors.ts";

export type Shell = "bash" | "zsh" | "fish";

/** For one user, for all users, or wherever somebody said. */
export type Scope = { readonly kind: "user" } | { readonly kind: "system" } | {
  readonly kind: "folder";
  readonly folder: string;
};

/** The name by which each shell looks for the completion of `queuectl`. */
const FILE_NAMES: Readonly<Record<Shell, string>> = { bash: "queuectl", zsh: "_queuectl", fish: "queuectl.fish" };

/**
 * Folders that belong to the administrator, and not to the package manager. Debian's bash-completion, zsh and fish
 * have all of them in their search path.
 */
const SYSTEM_FOLDERS: Readonly<Record<Shell, string>> = {
  bash: "/usr/local/share/bash-completion/completions",
  zsh: "/usr/local/share/zsh/site-functions",
  fish: "/etc/fish/completions",
};

/** The file that holds the completions. @throws {QueuectlError} when the user has no home. */
export function completionPath(shell: Shell, scope: Scope, env: (name: string) => string | undefined): string {
  return `${folderOf(shell, scope, env).replace(/\/+$/, "")}/${FILE_NAMES[shell]}`;
}

function folderOf(shell: Shell, scope: Scope, env: (name: string) => string | undefined): string {
  if (scope.kind === "folder") return scope.folder;
  if (scope.kind === "system") return SYSTEM_FOLDERS[shell];
  switch (shell) {
    case "bash": {
      // Newer versions take several folders, of which the first is looked at first.
      const own = env("BASH_COMPLETION_USER_DIR")?.split(":")[0];
      return `${own?.startsWith("/") ? own : `${dataHome(env)}/bash-completion`}/completions`;
    }
    case "zsh":
      return `${dataHome(env)}/zsh/site-functions`;
    case "fish":
      return `${xdgFolder(env, "XDG_CONFIG_HOME", ".config")}/fish/completions`;
  }
}

function dataHome(env: (name: string) => string | undefined): string {
  return xdgFolder(env, "XDG_DATA_HOME", ".local/share");
}

/** The XDG specification asks to ignore relative paths. */
function xdgFolder(env: (name: string) => string | undefined, variable: string, usual: string): string {
  const said = env(variable);
  if (said?.startsWith("/")) return said;
  const home = env("HOME");
  if (home?.startsWith("/")) return `${home.replace(/\/+$/, "")}/${usual}`;
  throw new QueuectlError("failed", "Cannot tell where your completions are: HOME is not set", {
    hint: "queuectl completions SHELL install --dir DIR",
  });
}
