/**
 * A job as it was written on the command line: a command, a program behind
 * `--`, or JSON, with flags over it. Gives plain fields; what they mean is told
 * by `core/job_fields.ts`.
 * @module
 */
import { UsageError } from "../core/errors.ts";
import { jsonFault } from "../core/json_object.ts";
import { jsonTrouble } from "../core/json_trouble.ts";
import { absolutePath } from "./absolute_path.ts";
import type { Input } from "./command.ts";
import { readBounded } from "./read_bounded.ts";

/** Longest JSON text of one job: its command, argv and stdin, each at its limit, fit. */
const MAX_JOB_BYTES = 4 * 1024 * 1024;

/** Flags that are not fields by the same name. */
const FIELD_OF_FLAG: Readonly<Record<string, string>> = { tag: "tags" };
/** Flags about reading, not about the job. */
const NOT_FIELDS: ReadonlySet<string> = new Set([
  "on-batch-done",
  "allow-past",
  "env-file",
  "ids",
  "lines",
  "no-output",
  "on-workers",
  "quiet-on-success",
  "replace",
  "secret-file",
  "stdin",
]);

export interface WrittenOptions {
  /** Place of the command among the words. Default: 0. */
  readonly commandAt?: number;
  /** Default: true, unless the job names a template, which may have one. */
  readonly needsCommand?: boolean;
}

export async function writtenJob(input: Input, options: WrittenOptions = {}): Promise<Record<string, unknown>> {
  const word = input.words[options.commandAt ?? 0];
  const needsCommand = options.needsCommand ?? !input.flags.has("template");
  const said = [word, input.argv, input.flags.get("command")].filter((value) => value !== undefined);
  if (said.length === 0 && needsCommand) {
    throw new UsageError("Missing command: give a command, JSON, @FILE, - or -- PROGRAM", {
      hint: `queuectl ${input.spec.name} 'sleep 5'`,
    });
  }
  if (said.length > 1) {
    throw new UsageError("Too many commands: give one of COMMAND, --command or -- PROGRAM");
  }
  const written: Record<string, unknown> = input.argv !== undefined
    ? { argv: input.argv }
    : word === undefined
    ? {}
    : await fromWord(word);
  return Object.assign(written, await flagFields(input));
}

async function fromWord(word: string): Promise<Record<string, unknown>> {
  if (word === "-") return objectFrom(await readBounded("-", MAX_JOB_BYTES), "standard input");
  if (word.startsWith("@")) return objectFrom(await readBounded(word.slice(1), MAX_JOB_BYTES), word.slice(1));
  return /^\s*\{\s*("|\})/.test(word) ? objectFrom(word, "the command word") : { command: word };
}

function objectFrom(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`Cannot read JSON from ${where}: ${positionOf(error, text)}`, { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`Cannot read a job from ${where}: expected a JSON object`);
  }
  const fault = jsonFault(text, value);
  if (fault !== undefined) throw new UsageError(`Cannot read a job from ${where}: ${fault}`);
  return value as Record<string, unknown>;
}

/** What JSON.parse complains about, with line and column. */
function positionOf(error: unknown, text: string): string {
  const { what, offset } = jsonTrouble(error, text);
  const short = what.replace(/^Unexpected/, "unexpected");
  if (what.startsWith("Unexpected end")) return `${short} at the end (position ${offset})`;
  const before = text.slice(0, offset).split("\n");
  return `${short} at position ${offset} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** The fields that flags ask for. */
export async function flagFields(input: Input): Promise<Record<string, unknown>> {
  const written: Record<string, unknown> = {};
  for (const spec of input.spec.flags ?? []) {
    const value = input.flags.get(spec.name);
    if (value === undefined || NOT_FIELDS.has(spec.name)) continue;
    written[FIELD_OF_FLAG[spec.name] ?? spec.name.replaceAll("-", "_")] = value;
  }
  const envFiles = input.flags.get("env-file");
  if (Array.isArray(envFiles)) {
    written.env = [...await envFrom(envFiles), ...Array.isArray(written.env) ? written.env : []];
  }
  const secretFiles = input.flags.get("secret-file");
  if (Array.isArray(secretFiles)) {
    written.secret_env = [
      ...Array.isArray(written.secret_env) ? written.secret_env : [],
      ...secretFiles.map(secretFile),
    ];
  }
  if (input.flags.get("no-output") === true) written.keep_output = false;
  const stdin = input.flags.get("stdin");
  if (typeof stdin === "string") {
    const isFile = stdin === "-" || stdin.startsWith("@");
    written.stdin = isFile ? await readBounded(stdin.replace(/^@/, ""), MAX_JOB_BYTES) : stdin;
  }
  return written;
}

/** `NAME=PATH` -> as the field `secret_env` has it. What is refused is not repeated: it may be the secret. */
function secretFile(text: string): string {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) {
    throw new UsageError("Invalid --secret-file: expected NAME=PATH", {
      hint: "--secret-file TOKEN=/run/secrets/token",
    });
  }
  return `${text.slice(0, at)}@${absolutePath(text.slice(at + 1))}`;
}

/** What files of variables hold; what a later one says counts. */
async function envFrom(files: readonly string[]): Promise<string[]> {
  const { parseEnvFile } = await import("./env_file.ts");
  const entries: string[] = [];
  for (const file of files) entries.push(...parseEnvFile(await readBounded(file, MAX_JOB_BYTES), file));
  return entries;
}
