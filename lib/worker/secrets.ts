/**
 * What must not be kept of the output of jobs, and which variables a job gets.
 *
 * The values of secrets are in the environment of the worker, or in files: one
 * that the job names, or one of the folder `CREDENTIALS_DIRECTORY`. The store
 * has only their names. A worker
 * knows the names that the setting `secret_env` has, and those that templates
 * and the jobs that it has claimed so far declare. A job that does not ask for
 * one of these does not get it, and no job of that worker may show its value.
 * @module
 */
import { quotedPath } from "../core/errors.ts";
import type { Job } from "../core/job.ts";
import { parseSecretEnv, secretOf } from "../core/job_surroundings.ts";
import { parseRedaction, type Redaction, wordsOfSecret } from "../core/redaction.ts";
import { ownVariable } from "../host/own_environment.ts";
import type { NotStarted } from "./launch.ts";

/** Read last: it is the same for all jobs until somebody changes the setting. */
let last: { readonly text: string; readonly redaction: Redaction } | undefined;

/** All items of `secret_env` known so far. One stays until the worker ends: its value may be in what runs now. */
const known = new Set<string>();

/**
 * Shortest value that is taken out of the output of other jobs. Without a limit, a variable of one digit would hide
 * that digit everywhere.
 */
const MIN_SHARED_LENGTH = 4;

/** Adds names, as a list or as text with commas. */
export function learnSecrets(written: unknown): void {
  if (written === null || written === undefined || written === "") return;
  for (const item of parseSecretEnv(written) ?? []) known.add(item);
}

/** @returns what to take out of the output, or that a secret is missing. */
export function redactionFor(job: Pick<Job, "secret_env">, redact: string): Redaction | NotStarted {
  if (last?.text !== redact) last = { text: redact, redaction: parseRedaction(redact) };
  const { redaction } = last;
  learnSecrets(job.secret_env);
  if (known.size === 0) return redaction;
  const words = [...redaction.words];
  for (const item of known) {
    const isOwn = job.secret_env?.includes(item) === true;
    const value = valueOf(item);
    if (value === null) {
      if (isOwn) return notStarted(`secret ${secretOf(item).name} is not valid UTF-8 in the environment of the worker`);
    } else if (value !== undefined) {
      words.push(...wordsOfSecret(value).filter(({ length }) => isOwn || length >= MIN_SHARED_LENGTH));
    } else if (isOwn) {
      const { name, file } = secretOf(item);
      return notStarted(
        file === undefined
          ? `secret ${name} is not in the environment of the worker`
          : `secret ${name} cannot be read from ${quotedPath(file)}`,
      );
    }
  }
  return { words, patterns: redaction.patterns };
}

function notStarted(reason: string): NotStarted {
  return { kind: "not_started", code: 126, reason };
}

/** Takes the secrets of others out of an environment, and puts those of the job into it. */
export function giveSecrets(env: Map<string, string>, job: Pick<Job, "secret_env">): void {
  for (const item of known) env.delete(secretOf(item).name);
  for (const item of job.secret_env ?? []) {
    const value = valueOf(item);
    if (value !== undefined && value !== null) env.set(secretOf(item).name, value);
  }
}

/** Longest value: an environment takes no variable above 128 KiB. */
const MAX_VALUE_BYTES = 120 * 1024;

/**
 * From the file of the item, the environment, or the file that a service manager gives this process for it. null: it is
 * there, as bytes that are no text. Where the system tells so beforehand, such a worker does not start.
 */
function valueOf(item: string): string | undefined | null {
  const { name, file } = secretOf(item);
  if (file !== undefined) return textOfFile(file);
  const folder = Deno.env.get("CREDENTIALS_DIRECTORY");
  const value = variable(name);
  return value !== undefined || folder === undefined ? value : textOfFile(`${folder}/${name}`);
}

function variable(name: string): string | undefined | null {
  try {
    return ownVariable(name);
  } catch {
    return null;
  }
}

/** Read for each job, since it may change. Nothing but a file is opened: a pipe or a device may have no end. */
function textOfFile(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile || size > MAX_VALUE_BYTES) return undefined;
    // A file usually ends with a line end, which belongs to no secret.
    const text = Deno.readTextFileSync(path).replace(/\r?\n$/, "");
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
