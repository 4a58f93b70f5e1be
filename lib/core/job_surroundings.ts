/**
 * The fields of a job that say in which surroundings it runs: environment,
 * secrets, file mode mask, limits of the system.
 * @module
 */
import { formatByteSizeExact, parseByteSize } from "./byte_size.ts";
import { parseDuration } from "./duration.ts";
import { InvalidValueError, UsageError } from "./errors.ts";
import { nearestName } from "./nearest_name.ts";

/**
 * Linux takes no single argument above 128 KiB (MAX_ARG_STRLEN), and the
 * command is one argument of the shell, after a short prelude of ours.
 */
export const MAX_COMMAND_BYTES = 120 * 1024;

/** What the system takes from each process of a job; null: as the worker has it. */
export interface JobLimits {
  /** Of address space, in bytes. */
  readonly memory: number | null;
  /** Of computing, in milliseconds; the system counts whole seconds. */
  readonly cpu_time_ms: number | null;
}

const LIMIT_NAMES = ["memory", "cpu_time"] as const;
/** Below this no program can start. */
const MIN_MEMORY_BYTES = 1024 * 1024;
const MAX_SECRETS = 100;

/** Text that can be handed to a process: no NUL byte, not too long. */
export function parseText(value: unknown, field: string, maxBytes: number): string {
  if (typeof value !== "string") throw new InvalidValueError(field, value, "expected text");
  if (value.includes("\0")) throw new InvalidValueError(field, value, "expected text without NUL bytes");
  // A text of n characters has at most 3n bytes: counting is needed near the limit only.
  if (value.length * 3 > maxBytes && byteLength(value) > maxBytes) {
    const limit = `${maxBytes / 1024} KiB`;
    throw new InvalidValueError(field, value, `expected at most ${limit}; put longer text into a file`);
  }
  return value;
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Set by queuectl for every job; a job must not pretend to be another. */
const OWN_PREFIX = "QUEUECTL_";

export function parseEnv(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    envEntries(value).map((
      [name, setting],
    ) => [parseEnvName(name, "env name"), parseText(setting, `env.${name}`, MAX_COMMAND_BYTES)]),
  );
}

/** `{"A": "1"}` from JSON, `["A=1"]` from options. */
function envEntries(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    return value.map((item) => {
      const at = typeof item === "string" ? item.indexOf("=") : -1;
      if (at < 1) throw new InvalidValueError("env", item, "expected NAME=VALUE");
      return [item.slice(0, at), item.slice(at + 1)];
    });
  }
  if (typeof value === "object" && value !== null) return Object.entries(value);
  throw new InvalidValueError("env", value, "expected an object of texts");
}

export function parseUmask(value: unknown): string {
  if (typeof value === "string" && /^0?[0-7]{1,3}$/.test(value)) return value.padStart(3, "0");
  throw new InvalidValueError("umask", value, "expected an octal mask such as 027");
}

/**
 * Names of variables, as a list or as text with commas. The values stay where they are: in the environment of the
 * worker, or for `NAME@/path` in that file.
 */
export function parseSecretEnv(value: unknown): readonly string[] | null {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  // In a list, a path may have commas.
  const texts = items.flatMap((item) =>
    typeof item === "string" && !(Array.isArray(value) && item.includes("@/")) ? item.split(",") : [item]
  );
  const names = texts.map((item) => typeof item === "string" ? item.trim() : item).filter((item) => item !== "").map(
    (item) => {
      const file = typeof item === "string" ? SECRET_FILE.exec(item) : null;
      if (file !== null) return `${parseSecretName(file[1])}@${parseText(file[2], "secret_env file", MAX_PATH_BYTES)}`;
      if (typeof item === "string" && item.includes("=")) {
        // Not repeated: what follows is likely the secret, and where it ends with "=", what comes before that.
        throw new UsageError("Invalid secret_env: expected the name of a variable alone, without its value", {
          hint: `--secret-env ${/^([A-Z_][A-Z0-9_]*)=[^=]/.exec(item)?.[1] ?? "NAME"}`,
        });
      }
      return parseSecretName(item);
    },
  );
  const unique = [...new Set(names)];
  const twice = unique.map((item) => secretOf(item).name).find((name, index, all) => all.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`Invalid secret_env: ${twice} has two sources`);
  if (unique.length > MAX_SECRETS) throw new UsageError(`Invalid secret_env: expected at most ${MAX_SECRETS} names`);
  return unique.length === 0 ? null : unique;
}

/** A name, and where its value is. */
const SECRET_FILE = /^([A-Za-z_][A-Za-z0-9_]*)@(\/[^]*)$/;
/** PATH_MAX of Linux. */
const MAX_PATH_BYTES = 4 * 1024;

/** An item of `secret_env`; without a file, the value is in the environment of the worker. */
export function secretOf(item: string): { readonly name: string; readonly file: string | undefined } {
  const at = item.indexOf("@");
  return at === -1 ? { name: item, file: undefined } : { name: item.slice(0, at), file: item.slice(at + 1) };
}

/** A refused name is not repeated either: it may be the secret itself. */
function parseSecretName(name: unknown): string {
  try {
    return parseEnvName(name, "secret_env");
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    throw new UsageError(`Invalid secret_env: ${error.expected}`);
  }
}

function parseEnvName(name: unknown, field: string): string {
  if (typeof name !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new InvalidValueError(field, name, "expected letters, digits and _, not beginning with a digit");
  }
  if (name.startsWith(OWN_PREFIX)) {
    throw new InvalidValueError(field, name, `names beginning with ${OWN_PREFIX} are set by queuectl`);
  }
  return name;
}

/** A variable has one value. */
export function checkEnv(
  job: { env: Readonly<Record<string, string>> | null; secret_env: readonly string[] | null },
): void {
  if (job.env === null || job.secret_env === null) return;
  for (const { name } of job.secret_env.map(secretOf)) {
    if (Object.hasOwn(job.env, name)) throw new UsageError(`Cannot set "${name}" in both env and secret_env: give one`);
  }
}

/** `{"memory": "512MiB", "cpu_time": 60}`; null where nothing is limited. */
export function parseLimits(value: unknown): JobLimits | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidValueError("limits", value, 'expected an object such as {"memory": "512MiB", "cpu_time": 60}');
  }
  let limits: JobLimits | null = null;
  for (const [name, limit] of Object.entries(value)) {
    const known = LIMIT_NAMES.find((candidate) => candidate === name);
    if (known === undefined) {
      const guess = nearestName(name, LIMIT_NAMES) ?? LIMIT_NAMES.join(", ");
      throw new UsageError(`Unknown limit ${JSON.stringify(name)}: did you mean "${guess}"?`);
    }
    if (limit !== null) limits = withLimit(limits, known, limit);
  }
  return limits;
}

/** Limits with one of them written anew; 0 takes it away. */
export function withLimit(
  limits: JobLimits | null,
  name: typeof LIMIT_NAMES[number],
  value: unknown,
): JobLimits | null {
  const before = limits ?? { memory: null, cpu_time_ms: null };
  const after: JobLimits = name === "memory"
    ? { ...before, memory: parseMemory(value) || null }
    : { ...before, cpu_time_ms: parseDuration(value, "cpu_time") || null };
  return after.memory === null && after.cpu_time_ms === null ? null : after;
}

function parseMemory(value: unknown): number {
  const bytes = parseByteSize(value, "memory");
  if (bytes === 0 || bytes >= MIN_MEMORY_BYTES) return bytes;
  throw new InvalidValueError("memory", value, `expected at least ${formatByteSizeExact(MIN_MEMORY_BYTES)}`);
}
