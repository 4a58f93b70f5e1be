/**
 * What must not be kept of the output of jobs, and which variables a job gets.
 *
 * The values of secrets are in the environment of the worker, or in files of
 * the folder `CREDENTIALS_DIRECTORY`; the store has only their names. A worker
 * knows the names that the setting `secret_env` has, and those that templates
 * and the jobs that it has claimed so far declare. A job that does not ask for
 * one of these does not get it, and no job of that worker may show its value.
 * @module
 */
import type { Job } from "../core/job.ts";
import { parseSecretEnv } from "../core/job_surroundings.ts";
import { parseRedaction, type Redaction, wordsOfSecret } from "../core/redaction.ts";
import { ownVariable } from "../host/own_environment.ts";
import type { NotStarted } from "./launch.ts";

/** Read last: it is the same for all jobs until somebody changes the setting. */
let last: { readonly text: string; readonly redaction: Redaction } | undefined;

/** All names known so far. A name stays until the worker ends: its value may be in what runs now. */
const names = new Set<string>();

/**
 * Shortest value that is taken out of the output of other jobs. Without a limit, a variable of one digit would hide
 * that digit everywhere.
 */
const MIN_SHARED_LENGTH = 4;

/** Adds names, as a list or as text with commas. */
export function learnSecrets(written: unknown): void {
  if (written === null || written === undefined || written === "") return;
  for (const name of parseSecretEnv(written) ?? []) names.add(name);
}

/** @returns what to take out of the output, or that a secret is missing. */
export function redactionFor(job: Pick<Job, "secret_env">, redact: string): Redaction | NotStarted {
  if (last?.text !== redact) last = { text: redact, redaction: parseRedaction(redact) };
  const { redaction } = last;
  learnSecrets(job.secret_env);
  if (names.size === 0) return redaction;
  const words = [...redaction.words];
  for (const name of names) {
    const isOwn = job.secret_env?.includes(name) === true;
    const value = valueOf(name);
    if (value === null) {
      if (isOwn) return notStarted(`secret ${name} is not valid UTF-8 in the environment of the worker`);
    } else if (value !== undefined) {
      words.push(...wordsOfSecret(value).filter(({ length }) => isOwn || length >= MIN_SHARED_LENGTH));
    } else if (isOwn) {
      return notStarted(`secret ${name} is not in the environment of the worker`);
    }
  }
  return { words, patterns: redaction.patterns };
}

function notStarted(reason: string): NotStarted {
  return { kind: "not_started", code: 126, reason };
}

/** Takes the secrets of others out of an environment, and puts those of the job into it. */
export function giveSecrets(env: Map<string, string>, job: Pick<Job, "secret_env">): void {
  for (const name of names) if (!job.secret_env?.includes(name)) env.delete(name);
  for (const name of job.secret_env ?? []) {
    const value = valueOf(name);
    if (value !== undefined && value !== null) env.set(name, value);
  }
}

/**
 * From the environment, or the file that a service manager gives this process for it. Read for each job: it may change.
 * null: it is there, as bytes that are no text. Where the system tells so beforehand, such a worker does not start.
 */
function valueOf(name: string): string | undefined | null {
  const value = variable(name);
  const folder = Deno.env.get("CREDENTIALS_DIRECTORY");
  if (value !== undefined || folder === undefined) return value;
  try {
    // A file usually ends with a line end, which belongs to no secret.
    return Deno.readTextFileSync(`${folder}/${name}`).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}

function variable(name: string): string | undefined | null {
  try {
    return ownVariable(name);
  } catch {
    return null;
  }
}
