/**
 * THE table of settable job fields: how each is read, from JSON and from the
 * text of an option alike. One place decides what is allowed, so that a flag, a
 * batch file and a request are refused with the same words.
 * @module
 */
import { type Forbids, refuseForbidden } from "./allowed_commands.ts";
import { MAX_DURATION_MS, parseDuration } from "./duration.ts";
import { InvalidValueError, UsageError } from "./errors.ts";
import { parseGate } from "./gate.ts";
import { NO_EXIT_RULES, parseExitRule, parseExitRules } from "./exit_rules.ts";
import type { Job, JobOptions, NewJob } from "./job.ts";
import { parseJobId } from "./job_id.ts";
import { parseKey, parseKeyScope, parseOnConflict } from "./job_key.ts";
import {
  byteLength,
  checkEnv,
  MAX_COMMAND_BYTES,
  parseEnv,
  parseLimits,
  parseSecretEnv,
  parseText,
  parseUmask,
  withLimit,
} from "./job_surroundings.ts";
import { nearestName } from "./nearest_name.ts";
import { parseTime } from "./point_in_time.ts";
import { type Backoff, parseBackoff, parseBase, parseJitter, parseStrategy } from "./retry_policy.ts";

/** What a job takes over from its surroundings when it does not say otherwise. */
export interface JobDefaults {
  readonly now: number;
  readonly max_retries: number;
  readonly backoff: Backoff;
  readonly timeout_ms: number | null;
  readonly kill_grace_ms: number;
  /** Directory of the caller. */
  readonly cwd: string | null;
  /** Takes times that are more than a minute in the past. */
  readonly allowPast?: boolean;
  /** Which jobs are refused; absent: none. */
  readonly forbids?: Forbids | undefined;
}

/** All arguments of an argv job together. */
const MAX_ARGV_BYTES = 1024 * 1024;
/** It is stored with the job. */
const MAX_STDIN_BYTES = 1024 * 1024;
const MAX_PRIORITY = 2 ** 31 - 1;
const MAX_RETRIES = 1_000_000;
const MAX_TAGS = 100;
const MAX_PARENTS = 10_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Mutable<NewJob>;
type Read = (draft: Draft, value: unknown, defaults: JobDefaults) => void;

/** Every name that may be given, with how its value enters the job. */
const FIELDS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["id", (job, value) => job.id = parseJobId(value)],
  ["command", (job, value) => job.command = parseCommand(value)],
  ["argv", (job, value) => job.argv = parseArgv(value)],
  ["queue", (job, value) => job.queue = parseName(value, "queue")],
  ["priority", (job, value) => job.priority = parseInteger(value, "priority", -MAX_PRIORITY, MAX_PRIORITY)],
  ["max_retries", (job, value) => job.max_retries = parseInteger(value, "max_retries", 0, MAX_RETRIES)],
  ["retries", (job, value) => job.max_retries = parseInteger(value, "retries", 0, MAX_RETRIES)],
  // A total, as other queues count: N attempts are N - 1 retries.
  ["max_attempts", (job, value) => job.max_retries = parseInteger(value, "max_attempts", 1, MAX_RETRIES) - 1],
  ["backoff", (job, value) => job.backoff = parseBackoff(value, job.backoff)],
  [
    "backoff_strategy",
    (job, value) => job.backoff = { ...job.backoff, strategy: parseStrategy(value, "backoff_strategy") },
  ],
  ["backoff_base", (job, value) => job.backoff = { ...job.backoff, base: parseBase(value, "backoff_base") }],
  ["backoff_delay", (job, value) => job.backoff = { ...job.backoff, delay: seconds(value, "backoff_delay") }],
  ["backoff_max", (job, value) => job.backoff = { ...job.backoff, max: parseBackoffMax(value) }],
  ["backoff_jitter", (job, value) => job.backoff = { ...job.backoff, jitter: parseJitter(value, "backoff_jitter") }],
  ["timeout", (job, value) => job.timeout_ms = parseDuration(value, "timeout") || null],
  ["timeout_seconds", (job, value) => job.timeout_ms = parseDuration(value, "timeout_seconds") || null],
  ["timeout_ms", (job, value) => job.timeout_ms = parseInteger(value, "timeout_ms", 0, MAX_DURATION_MS) || null],
  ["kill_grace", (job, value) => job.kill_grace_ms = parseDuration(value, "kill_grace")],
  ["exit_rules", (job, value) => job.exit_rules = parseExitRules(value)],
  ["ok_on", (job, value) => job.exit_rules = { ...job.exit_rules, ok_on: parseExitRule("ok_on", value) }],
  ["fail_on", (job, value) => job.exit_rules = { ...job.exit_rules, fail_on: parseExitRule("fail_on", value) }],
  ["snooze_on", (job, value) => job.exit_rules = { ...job.exit_rules, snooze_on: parseExitRule("snooze_on", value) }],
  ["retry_on", (job, value) => job.exit_rules = { ...job.exit_rules, retry_on: parseExitRule("retry_on", value) }],
  ["run_at", (job, value, defaults) => job.run_at = parseTime(value, timeOptions("run_at", defaults))],
  ["next_run_at", (job, value, defaults) => job.run_at = parseTime(value, timeOptions("next_run_at", defaults))],
  ["delay", (job, value, defaults) => job.run_at = defaults.now + parseDuration(value, "delay")],
  ["expires_at", (job, value, defaults) => job.expires_at = parseTime(value, timeOptions("expires_at", defaults))],
  ["expires", (job, value, defaults) => job.expires_at = parseExpiry(value, defaults)],
  ["after", (job, value) => job.after = parseParents(value, "after")],
  ["after_any", (job, value) => job.after_any = parseParents(value, "after_any")],
  ["key", (job, value) => job.key = parseKey(value, "key")],
  ["key_scope", (job, value) => job.key_scope = parseKeyScope(value)],
  ["on_conflict", (job, value) => job.on_conflict = parseOnConflict(value)],
  ["lock", (job, value) => job.lock = parseKey(value, "lock")],
  ["when", (job, value) => job.when = parseWhen(value)],
  ["batch", (job, value) => job.batch = parseName(value, "batch")],
  ["tags", (job, value) => job.tags = parseTags(value)],
  ["cwd", (job, value, defaults) => job.cwd = parseDirectory(value, defaults.cwd)],
  ["env", (job, value) => job.env = parseEnv(value)],
  ["secret_env", (job, value) => job.secret_env = parseSecretEnv(value)],
  ["stdin", (job, value) => job.stdin = parseText(value, "stdin", MAX_STDIN_BYTES)],
  ["umask", (job, value) => job.umask = parseUmask(value)],
  ["nice", (job, value) => job.nice = parseInteger(value, "nice", -20, 19)],
  ["limits", (job, value) => job.limits = parseLimits(value)],
  ["memory", (job, value) => job.limits = withLimit(job.limits, "memory", value)],
  ["cpu_time", (job, value) => job.limits = withLimit(job.limits, "cpu_time", value)],
  ["template", (job, value) => job.template = parseName(value, "template")],
  ["keep_output", (job, value) => job.keep_output = parseBoolean(value, "keep_output")],
]);

/** Several spellings of one field in one job would contradict each other. */
const SAME_FIELD: Readonly<Record<string, string>> = {
  retries: "max_retries",
  max_attempts: "max_retries",
  timeout_seconds: "timeout",
  timeout_ms: "timeout",
  next_run_at: "run_at",
  delay: "run_at",
  expires: "expires_at",
};

/** The name under which a field is known when it has several: `retries` is `max_retries`. */
export function sameField(name: string): string {
  return SAME_FIELD[name] ?? name;
}

/** Fields that a job has but nobody sets. */
const READ_ONLY: ReadonlySet<string> = new Set(
  ("state seq attempts run_count crashes snoozes created_at updated_at started_at finished_at duration_ms exit_code " +
    "signal reason worker_id claim schedule scheduled_for deduplicated runs").split(" "),
);

/** The names that a job may be given with, for messages and completions. */
export const FIELD_NAMES: readonly string[] = [...FIELDS.keys()];

/**
 * Makes a job of what a person wrote. null and undefined count as not written. What is not written comes from
 * `base`, by default a job with nothing special about it.
 * @throws {UsageError} naming the field that is unknown or whose value is refused.
 */
export function readNewJob(
  written: Readonly<Record<string, unknown>>,
  defaults: JobDefaults,
  base: NewJob = baseJob({}, defaults),
): NewJob {
  const job: Draft = { ...base };
  if (written.command != null || written.argv != null) job.command = job.argv = null;
  applyFields(job, written, defaults);
  checkKey(job);
  checkEnv(job);
  if (job.command !== null && job.argv !== null) throw new UsageError("Cannot set both command and argv: give one");
  if (job.command === null && job.argv === null) throw new UsageError("Missing command: a job needs command or argv");
  if (job.argv !== null) job.type = "exec";
  refuseForbidden(defaults.forbids, job);
  return job;
}

/** What many jobs have in common: the defaults, with some fields written over them. It has no command yet. */
export function baseJob(written: Readonly<Record<string, unknown>>, defaults: JobDefaults): NewJob {
  const job: Draft = {
    id: null,
    type: "shell",
    command: null,
    argv: null,
    queue: "default",
    priority: 0,
    max_retries: defaults.max_retries,
    timeout_ms: defaults.timeout_ms,
    run_at: null,
    expires_at: null,
    tags: [],
    lock: null,
    key: null,
    batch: null,
    when: null,
    template: null,
    backoff: defaults.backoff,
    kill_grace_ms: defaults.kill_grace_ms,
    exit_rules: NO_EXIT_RULES,
    cwd: defaults.cwd,
    env: null,
    secret_env: null,
    stdin: null,
    umask: null,
    nice: null,
    limits: null,
    keep_output: true,
    after: null,
    after_any: null,
    key_scope: null,
    on_conflict: null,
  };
  applyFields(job, written, defaults);
  return job;
}

/** Reads each written field into the draft. */
function applyFields(job: Draft, written: Readonly<Record<string, unknown>>, defaults: JobDefaults): void {
  let seen: Set<string> | undefined;
  for (const name in written) {
    const value = written[name];
    const read = FIELDS.get(name);
    if (read === undefined) throw unknownField(name);
    if (value === undefined || value === null) continue;
    const same = SAME_FIELD[name];
    if (same !== undefined || seen !== undefined) {
      seen ??= new Set(Object.keys(written).filter((key) => written[key] != null && SAME_FIELD[key] === undefined));
      if (same !== undefined) {
        if (seen.has(same)) throw new UsageError(`Cannot set ${same} twice: it is also given as ${name}`);
        seen.add(same);
      }
    }
    read(job, value, defaults);
  }
}

/** Fields that say who a job is, or that mattered when it was made. */
const FIXED: ReadonlySet<string> = new Set(["id", "after", "after_any", "batch", "on_conflict", "template"]);

/**
 * A stored job with some of its fields written anew. What is not written stays.
 * @throws {UsageError} as `readNewJob`, and for fields that cannot change.
 */
export function readEditedJob(
  job: Job,
  written: Readonly<Record<string, unknown>>,
  at: { now: number; cwd: string | null; allowPast?: boolean; forbids?: Forbids | undefined },
): NewJob {
  for (const name in written) {
    if (FIXED.has(name)) throw new UsageError(`Cannot change field "${name}" of a job: enqueue a new one`);
  }
  const draft: Draft = { ...job };
  applyFields(draft, written, { ...at, ...job });
  checkKey(draft);
  checkEnv(draft);
  if (written.command != null && written.argv != null) {
    throw new UsageError("Cannot set both command and argv: give one");
  }
  if (written.command != null) Object.assign(draft, { argv: null, type: "shell" });
  if (written.argv != null) Object.assign(draft, { command: null, type: "exec" });
  refuseForbidden(at.forbids, draft);
  return draft;
}

/** The options of a job alone, as they are stored. */
export function optionsOf(job: NewJob): JobOptions {
  const { backoff, kill_grace_ms, exit_rules, cwd, env, secret_env, stdin, umask, nice, limits, keep_output } = job;
  const { after, after_any, key_scope, on_conflict } = job;
  return {
    backoff,
    kill_grace_ms,
    exit_rules,
    cwd,
    env,
    secret_env,
    stdin,
    umask,
    nice,
    limits,
    keep_output,
    after,
    after_any,
    key_scope,
    on_conflict,
  };
}

function checkKey(job: Draft): void {
  if (job.key !== null) return;
  if (job.key_scope !== null) throw new UsageError("Cannot set key_scope without key");
  if (job.on_conflict !== null) throw new UsageError("Cannot set on_conflict without key");
}

function unknownField(name: string): UsageError {
  if (READ_ONLY.has(name)) return new UsageError(`Cannot set field "${name}": it is read only`);
  const nearest = nearestName(name, FIELD_NAMES);
  const guess = nearest === undefined ? `known are ${FIELD_NAMES.join(", ")}` : `did you mean "${nearest}"?`;
  return new UsageError(`Unknown field ${JSON.stringify(name)}: ${guess}`);
}

function timeOptions(field: string, defaults: JobDefaults): Parameters<typeof parseTime>[1] {
  return { now: defaults.now, field, allowPast: defaults.allowPast ?? false };
}

/** A time, or a duration from now on. */
function parseExpiry(value: unknown, defaults: JobDefaults): number {
  const isDuration = typeof value === "number" ||
    (typeof value === "string" && /^[\d.\s]+([smhdw][\d.smhdw\s]*)?$/.test(value));
  if (!isDuration) return parseTime(value, timeOptions("expires", defaults));
  return defaults.now + parseDuration(value, "expires");
}

/** Ids of other jobs, as a list or as text with commas; each once, none is null. */
function parseParents(value: unknown, field: string): readonly string[] | null {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const ids = items.flatMap((item) => typeof item === "string" ? idsIn(item, field) : [item])
    .map((item) => parseName(item, `${field} id`));
  const parents = [...new Set(ids)];
  if (parents.length > MAX_PARENTS) throw new UsageError(`Invalid ${field}: expected at most ${MAX_PARENTS} jobs`);
  return parents.length === 0 ? null : parents;
}

/** A text without any is a mistake: `--after "$build"` of a build that could not be enqueued must not run at once. */
function idsIn(text: string, field: string): string[] {
  const ids = text.split(",").map((id) => id.trim()).filter((id) => id !== "");
  if (ids.length === 0) throw new InvalidValueError(field, text, "expected ids of jobs");
  return ids;
}

/** Kept as written: the conditions are read again by the worker. */
function parseWhen(value: unknown): string {
  parseGate(value);
  return String(value).trim();
}

function seconds(value: unknown, field: string): number {
  return parseDuration(value, field) / 1_000;
}

function parseBackoffMax(value: unknown): number {
  const max = seconds(value, "backoff_max");
  if (max > 0) return max;
  throw new InvalidValueError("backoff_max", value, "expected a duration above 0");
}

/** Reads a name of a queue or a tag: the same letters as an id. */
export function parseName(value: unknown, field: string): string {
  if (typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(value)) return value;
  throw new InvalidValueError(
    field,
    value,
    "expected 1 to 128 letters, digits or . _ : - beginning with a letter or digit",
  );
}

/** Reads a whole number from a number or its text. */
export function parseInteger(value: unknown, field: string, min: number, max: number): number {
  const number = typeof value === "number"
    ? value
    : typeof value === "string" && /^\s*[+-]?\d{1,15}\s*$/.test(value)
    ? Number(value)
    : NaN;
  if (Number.isInteger(number) && number >= min && number <= max) return number + 0;
  throw new InvalidValueError(field, value, `expected a whole number from ${min} to ${max}`);
}

function parseBoolean(value: unknown, field: string): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  if (value === "false") return false;
  throw new InvalidValueError(field, value, "expected true or false");
}

function parseCommand(value: unknown): string {
  const command = parseText(value, "command", MAX_COMMAND_BYTES);
  if (command.trim() === "") throw new InvalidValueError("command", value, "expected a command, not blank text");
  return command;
}

function parseArgv(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InvalidValueError("argv", value, "expected a list of texts, the program first");
  }
  let total = 0;
  for (const [index, word] of value.entries()) {
    total += byteLength(parseText(word, `argv[${index}]`, MAX_COMMAND_BYTES)) + 1;
  }
  if (total > MAX_ARGV_BYTES) throw new UsageError("Invalid argv: expected at most 1 MiB in all");
  if (value[0].trim() === "") throw new InvalidValueError("argv", value, "expected a program as its first word");
  return value;
}

function parseTags(value: unknown): readonly string[] {
  const items: unknown = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(items)) throw new InvalidValueError("tags", value, "expected a list of texts");
  const tags = [...new Set(items.map((item) => parseName(typeof item === "string" ? item.trim() : item, "tag")))];
  if (tags.length > MAX_TAGS) throw new UsageError(`Invalid tags: expected at most ${MAX_TAGS}`);
  return tags;
}

function parseDirectory(value: unknown, base: string | null): string {
  const directory = parseText(value, "cwd", MAX_COMMAND_BYTES);
  if (directory === "") throw new InvalidValueError("cwd", value, "expected a directory");
  if (directory.startsWith("/")) return directory;
  if (base === null) throw new InvalidValueError("cwd", value, "expected an absolute directory");
  return `${base.replace(/\/+$/, "")}/${directory}`;
}
