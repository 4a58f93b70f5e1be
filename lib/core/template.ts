/**
 * A template: job options under a name. It keeps the fields as they were
 * written (`"delay": "5m"` means five minutes after each use), checked once
 * when it is made and again when a job is made from it.
 * @module
 */
import { UsageError } from "./errors.ts";
import { type JobDefaults, readNewJob, sameField } from "./job_fields.ts";

export interface Template {
  readonly name: string;
  /** Fields as a person may write them in JSON. */
  readonly job: WrittenFields;
  readonly created_at: number;
  readonly updated_at: number;
}

export type WrittenFields = Readonly<Record<string, unknown>>;

/** What cannot be the same for several jobs. */
const NOT_IN_TEMPLATES: Readonly<Record<string, string>> = {
  id: "two jobs cannot have the same id",
  template: "templates do not build on each other",
};

/**
 * Checks what a template is to hold. A command is not needed: the job may bring its own.
 * @throws {UsageError} as for a job.
 */
export function readTemplate(written: WrittenFields, defaults: JobDefaults): WrittenFields {
  const fields = withoutNulls(written);
  for (const name in NOT_IN_TEMPLATES) {
    if (name in fields) throw new UsageError(`Cannot set ${name} in a template: ${NOT_IN_TEMPLATES[name]}`);
  }
  const hasProgram = "command" in fields || "argv" in fields;
  const job = readNewJob(hasProgram ? fields : { ...fields, command: "true" }, defaults);
  // What depends on where it was written is settled now; what depends on the time stays as it is.
  if ("cwd" in fields) fields.cwd = job.cwd;
  if ("env" in fields) fields.env = job.env;
  return fields;
}

/**
 * The fields of a job that names a template: what the template says, and over it what the job says. A field counts as
 * said under any of its spellings; environments are merged by name.
 */
export function expandTemplate(template: Pick<Template, "name" | "job">, written: WrittenFields): WrittenFields {
  const job = withoutNulls(written);
  const said = new Set(Object.keys(job).map(subjectOf));
  const kept = Object.entries(template.job).filter(([name]) => name === "env" || !said.has(subjectOf(name)));
  const env = template.job.env;
  return {
    ...Object.fromEntries(kept),
    ...job,
    ...(env != null && "env" in job ? { env: mergedEnv(env, job.env) } : {}),
    template: template.name,
  };
}

/** null counts as not written. */
function withoutNulls(written: WrittenFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null && value !== undefined));
}

/** What a field is about: another command takes the place of an argv. */
function subjectOf(name: string): string {
  return name === "argv" ? "command" : sameField(name);
}

/** An environment is an object in JSON, and a list of `NAME=VALUE` from options. */
function mergedEnv(base: unknown, over: unknown): unknown {
  const isList = Array.isArray(over);
  const isObject = typeof over === "object" && over !== null && !isList;
  // Whatever else it is will be refused with the words for a bad environment.
  if (!isList && !isObject) return over;
  const pairs = Object.entries(base as Record<string, string>).map(([name, value]) => `${name}=${value}`);
  // In a list the last one of a name counts.
  return isList ? [...pairs, ...over] : { ...base as Record<string, string>, ...over };
}
