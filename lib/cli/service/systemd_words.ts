/**
 * Words as systemd reads them in a unit file: it splits at spaces, takes
 * quotes and backslashes as C does, and replaces `%x` everywhere and `$x` in
 * command lines.
 * @module
 */
import { UsageError } from "../../core/errors.ts";

/** Words that systemd takes as they are. */
const PLAIN = /^[\w@+=:,./-]+$/;

/** The program of a command line, or a word of any other setting. */
export function systemdWord(word: string): string {
  // deno-lint-ignore no-control-regex -- such a word could add lines to the unit
  if (/[\x00-\x1f\x7f]/.test(word)) {
    throw new UsageError(`Cannot write ${JSON.stringify(word)} into a unit file: it has control characters`);
  }
  if (PLAIN.test(word)) return word;
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}

/** A command line. Behind the program, `$` would begin the name of a variable. */
export function systemdCommand(command: readonly [string, ...string[]]): string {
  // In the path of a program systemd refuses quotes and backslashes, and cannot quote `$`. In arguments it can.
  const isRefused = /[$"'\\]/.test(command[0]);
  const [program, ...args] = isRefused ? ["/bin/sh", "-c", 'exec "$0" "$@"', ...command] as const : command;
  return [systemdWord(program), ...args.map((arg) => systemdWord(arg).replaceAll("$", "$$$$"))].join(" ");
}
