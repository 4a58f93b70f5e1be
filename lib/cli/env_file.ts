/**
 * Files of environment variables, one `NAME=VALUE` on a line, as `docker run
 * --env-file` and systemd take them: empty lines and lines that begin with `#`
 * count for nothing, `export` before the name is allowed, and quotes around the
 * whole value are not part of it. Nothing is expanded.
 * @module
 */
import { UsageError } from "../core/errors.ts";

/** @returns `NAME=VALUE` texts, in the order of the file. @throws {UsageError} naming the line that is none. */
export function parseEnvFile(text: string, file: string): string[] {
  const entries: string[] = [];
  for (const [index, line] of text.replace(/^\ufeff/, "").split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const [, name, value] = /^(?:export\s+)?([^\s=]+)=(.*)$/.exec(trimmed) ?? [];
    if (name === undefined || value === undefined) {
      // The line is not repeated: it may hold a password.
      throw new UsageError(`Cannot read ${file}, line ${index + 1}: expected NAME=VALUE`);
    }
    entries.push(`${name}=${unquoted(value)}`);
  }
  return entries;
}

function unquoted(value: string): string {
  const quote = value[0];
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
