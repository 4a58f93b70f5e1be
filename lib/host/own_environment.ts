/**
 * The environment of this process, as text. The system keeps bytes there, and
 * the runtime leaves out what is not UTF-8 when it is asked for everything, or
 * throws an error that repeats the value. Here both become one sentence with
 * the name alone: the value may be a secret.
 * @module
 */
import { quoted, UsageError } from "../core/errors.ts";

/** What a shell notes of its own directory. A job runs in another one, so that these may be left out. */
const OF_THE_DIRECTORY: readonly string[] = ["PWD", "OLDPWD"];

/** One variable. @throws {UsageError} when its value is not UTF-8. */
export function ownVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.InvalidData)) throw error;
    // No cause: it holds the value.
    throw new UsageError(`Environment variable ${quoted(name)} is not valid UTF-8`, {
      hint: `env -u ${name} queuectl`,
    });
  }
}

/**
 * All variables, for processes that are to inherit them.
 * @throws {UsageError} when there is one that could not be handed on.
 */
export function wholeEnvironment(): Record<string, string> {
  for (const name of namesOfBytes()) {
    // A variable that was taken out meanwhile does no harm.
    if (!OF_THE_DIRECTORY.includes(name) && ownVariableOrUndefined(name) === null) {
      throw new UsageError(`Environment variable ${quoted(name)} is not valid UTF-8: jobs could not inherit it`, {
        hint: `env -u ${name} queuectl`,
      });
    }
  }
  return Deno.env.toObject();
}

/** null: it is there and cannot be read. */
function ownVariableOrUndefined(name: string): string | undefined | null {
  try {
    return Deno.env.get(name);
  } catch {
    return null;
  }
}

/** Variables that were not UTF-8 when the process was started. Empty where the system does not tell. */
function namesOfBytes(): string[] {
  let bytes: Uint8Array;
  try {
    bytes = Deno.readFileSync("/proc/self/environ");
  } catch {
    return [];
  }
  if (isUtf8(bytes)) return [];
  const names: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start) < 0 ? bytes.length : bytes.indexOf(0, start);
    const entry = bytes.subarray(start, end);
    if (!isUtf8(entry)) names.push(new TextDecoder().decode(entry.subarray(0, Math.max(0, entry.indexOf(0x3d)))));
    start = end + 1;
  }
  return names;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
