/**
 * The file of a unit: where it lies, whether it is ours, and writing it so
 * that systemd never reads half of it.
 *
 * The first line names the program and carries a checksum of the rest, by
 * which a unit that somebody edited is told from one that may be replaced.
 * @module
 */
import { createHash } from "node:crypto";
import { ConflictError, QueuectlError, quotedPath, UsageError } from "../../core/errors.ts";
import { absolutePath } from "../absolute_path.ts";
import type { Context } from "../context.ts";
import type { Input } from "../command.ts";
import { text } from "../input.ts";
import type { Scope } from "./unit_text.ts";

/** The program that wrote it, its version, the checksum of the lines below. */
const FIRST_LINE = /^# Written by queuectl \S+ \(sha256 ([0-9a-f]{64})\)\. [^\n]*\n/;

/** `missing`; `ours`, as it was written; `edited`, ours and changed since; `foreign`: made by somebody else. */
export type Found = { readonly kind: "missing" | "edited" | "foreign" } | {
  readonly kind: "ours";
  readonly text: string;
};

/** The folder of units: what --dir says, else where systemd looks. */
export function unitFolder(context: Context, input: Input, scope: Scope): string {
  const said = text(input, "dir");
  if (said !== undefined) return absolutePath(said).replace(/(?<=.)\/+$/, "");
  if (scope === "system") return "/etc/systemd/system";
  const config = context.env("XDG_CONFIG_HOME");
  if (config?.startsWith("/")) return `${config.replace(/\/+$/, "")}/systemd/user`;
  const home = context.env("HOME");
  if (home?.startsWith("/")) return `${home.replace(/\/+$/, "")}/.config/systemd/user`;
  throw new UsageError("Cannot tell where the units of this user are: HOME is not set", { hint: "--dir DIR" });
}

/** What is stored: the unit with a first line that says whose it is. */
export function signedUnit(unit: string, version: string): string {
  return `# Written by queuectl ${version} (sha256 ${
    checksum(unit)
  }). Put changes into a drop-in: systemctl edit\n${unit}`;
}

function checksum(unit: string): string {
  return createHash("sha256").update(unit).digest("hex");
}

export function readUnit(path: string): Found {
  let text: string;
  try {
    // A link, such as a masked unit has to /dev/null, was made by somebody else.
    if (!Deno.lstatSync(path).isFile) return { kind: "foreign" };
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return { kind: "missing" };
    throw cannot("read", path, error);
  }
  const [line, sum] = FIRST_LINE.exec(text) ?? [];
  if (line === undefined) return { kind: "foreign" };
  return sum === checksum(text.slice(line.length)) ? { kind: "ours", text } : { kind: "edited" };
}

/** @throws {ConflictError} when the file is not as we wrote it. */
export function refuseForeign(path: string, found: Found): void {
  if (found.kind === "missing" || found.kind === "ours") return;
  const state = found.kind === "edited" ? "it was edited since queuectl wrote it" : "queuectl did not write it";
  throw new ConflictError(`Cannot replace ${quotedPath(path)}: ${state}`, { hint: "add --replace if it is meant" });
}

/** Writes the whole file or nothing, and makes its folder. */
export function writeUnit(path: string, text: string): void {
  const partial = `${path}.${Deno.pid}.partial`;
  try {
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o755 });
    Deno.writeTextFileSync(partial, text, { createNew: true });
    // systemd warns of units that others cannot read; a umask may have made it so.
    Deno.chmodSync(partial, 0o644);
    Deno.renameSync(partial, path);
  } catch (error) {
    removeQuietly(partial);
    throw cannot("write", path, error);
  }
}

/** Removes the unit and the links by which it was enabled. */
export function removeUnit(path: string, target: string): void {
  const [folder, name] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
  try {
    Deno.removeSync(path);
  } catch (error) {
    throw cannot("remove", path, error);
  }
  removeQuietly(`${folder}/${target}.wants/${name}`);
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was never there.
  }
}

function cannot(what: string, path: string, error: unknown): QueuectlError {
  const isDenied = error instanceof Deno.errors.PermissionDenied;
  const reason = isDenied ? "permission denied" : error instanceof Error ? error.message : String(error);
  return new QueuectlError("failed", `Cannot ${what} ${quotedPath(path)}: ${reason}`, {
    cause: error,
    hint: isDenied && path.startsWith("/etc/") ? "run it with sudo, or use --user" : undefined,
  });
}
