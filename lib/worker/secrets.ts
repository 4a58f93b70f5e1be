/**
 * What must not be kept of the output of a job: what the setting says, and the
 * values of the job's secrets. Those are in the worker's environment, which the
 * job inherits; the store has only their names.
 * @module
 */
import type { Job } from "../core/job.ts";
import { parseRedaction, type Redaction, wordsOfSecret } from "../core/redaction.ts";
import { ownVariable } from "../host/own_environment.ts";
import type { NotStarted } from "./launch.ts";

/** Read last: it is the same for all jobs until somebody changes the setting. */
let last: { readonly text: string; readonly redaction: Redaction } | undefined;

/** @returns what to take out of the output, or that a secret is missing. */
export function redactionFor(job: Pick<Job, "secret_env">, redact: string): Redaction | NotStarted {
  if (last?.text !== redact) last = { text: redact, redaction: parseRedaction(redact) };
  const { redaction } = last;
  if (job.secret_env === null) return redaction;
  const words = [...redaction.words];
  for (const name of job.secret_env) {
    const value = valueOf(name);
    if (value === null) {
      return {
        kind: "not_started",
        code: 126,
        reason: `secret ${name} is not valid UTF-8 in the environment of the worker`,
      };
    }
    if (value === undefined) {
      return { kind: "not_started", code: 126, reason: `secret ${name} is not in the environment of the worker` };
    }
    words.push(...wordsOfSecret(value));
  }
  return { words, patterns: redaction.patterns };
}

/** null: it is there, as bytes that are no text. Where the system tells so beforehand, such a worker does not start. */
function valueOf(name: string): string | undefined | null {
  try {
    return ownVariable(name);
  } catch {
    return null;
  }
}
