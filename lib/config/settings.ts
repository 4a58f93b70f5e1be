/**
 * THE settings table: key, kind, default, one sentence. Reading, checking,
 * completions, `config list` and the README all come from it.
 *
 * A setting is stored as its canonical text and used as a value: durations in
 * milliseconds, sizes in bytes.
 * @module
 */
import { formatByteSizeExact, parseByteSize } from "../core/byte_size.ts";
import { formatDurationExact, parseDuration } from "../core/duration.ts";
import { InvalidValueError, UsageError } from "../core/errors.ts";
import { parseSecretEnv } from "../core/job_surroundings.ts";
import { nearestName } from "../core/nearest_name.ts";
import { doubtAboutRedaction, parseRedaction } from "../core/redaction.ts";

export type SettingType = "integer" | "number" | "duration" | "size" | "choice" | "text";

export interface SettingSpec {
  readonly key: SettingKey;
  readonly type: SettingType;
  /** Canonical text. */
  readonly default: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** Of a value that is allowed, but perhaps not what was meant: a warning. */
  readonly doubt?: (text: string) => string | undefined;
  /** Allowed range of integers and numbers. */
  readonly min?: number;
  readonly max?: number;
  /** Masked wherever it is shown. */
  readonly secret?: boolean;
}

/** The settings as the program uses them. */
export interface SettingValues {
  max_retries: number;
  backoff_strategy: "exponential" | "linear" | "fixed";
  backoff_base: number;
  backoff_delay: number;
  backoff_max: number;
  backoff_jitter: number;
  max_crashes: number;
  job_timeout: number;
  kill_grace: number;
  shutdown_timeout: number;
  worker_concurrency: number;
  heartbeat_interval: number;
  lease: number;
  poll_interval: number;
  output_limit: number;
  redact: string;
  secret_env: string;
  keep_completed: number;
  keep_cancelled: number;
  keep_dead: number;
  keep_audit: number;
  dead_retry_after: number;
  allow_commands: string;
  shell: string;
  log_level: "debug" | "info" | "warn" | "error";
}

export type SettingKey = keyof SettingValues;

export const SETTINGS: readonly SettingSpec[] = [
  {
    key: "max_retries",
    type: "integer",
    default: "3",
    min: 0,
    max: 1_000_000,
    summary: "Retries after the first attempt",
  },
  {
    key: "backoff_strategy",
    type: "choice",
    choices: ["exponential", "linear", "fixed"],
    default: "exponential",
    summary: "How the delay between attempts grows",
  },
  {
    key: "backoff_base",
    type: "number",
    default: "2",
    min: 0.001,
    summary: "Exponential: base^n seconds after the n-th attempt",
  },
  { key: "backoff_delay", type: "duration", default: "1m", summary: "Linear: delay times n; fixed: delay" },
  { key: "backoff_max", type: "duration", default: "6h", summary: "Longest delay between attempts" },
  {
    key: "backoff_jitter",
    type: "number",
    default: "0",
    min: 0,
    max: 1,
    summary: "Share by which delays are spread; 0 is exact",
  },
  {
    key: "max_crashes",
    type: "integer",
    default: "3",
    min: 1,
    max: 1_000,
    summary: "Workers a job may lose in a row before it is dead",
  },
  { key: "job_timeout", type: "duration", default: "0s", summary: "Timeout of jobs that set none; 0 is none" },
  { key: "kill_grace", type: "duration", default: "10s", summary: "From TERM to KILL when a job is ended" },
  {
    key: "shutdown_timeout",
    type: "duration",
    default: "0s",
    summary: "How long a stopping worker waits for its jobs; 0 is no limit",
  },
  { key: "worker_concurrency", type: "integer", default: "1", min: 1, max: 256, summary: "Jobs a worker runs at once" },
  { key: "heartbeat_interval", type: "duration", default: "5s", summary: "How often a worker says that it lives" },
  { key: "lease", type: "duration", default: "30s", summary: "How long a silent worker is believed" },
  { key: "poll_interval", type: "duration", default: "1s", summary: "Safety net of idle workers, beside the wake-up" },
  { key: "output_limit", type: "size", default: "10MiB", summary: "Most output kept of one stream of a run" },
  {
    key: "keep_completed",
    type: "duration",
    default: "7d",
    summary: "How long completed jobs are kept; 0 is for ever",
  },
  {
    key: "keep_cancelled",
    type: "duration",
    default: "7d",
    summary: "How long cancelled jobs are kept; 0 is for ever",
  },
  { key: "keep_dead", type: "duration", default: "0s", summary: "How long dead jobs are kept; 0 is for ever" },
  { key: "keep_audit", type: "duration", default: "90d", summary: "How long the audit is kept; 0 is for ever" },
  {
    key: "dead_retry_after",
    type: "duration",
    default: "0s",
    summary: "Retry a dead job once after this time; 0 is never",
  },
  {
    key: "redact",
    type: "text",
    default: "",
    secret: true,
    summary: "Words and /patterns/ kept out of output, with commas between",
    doubt: doubtAboutRedaction,
  },
  {
    key: "secret_env",
    type: "text",
    default: "",
    summary: "Variables that only jobs with --secret-env get, with commas between",
  },
  {
    key: "allow_commands",
    type: "text",
    default: "",
    summary: "Patterns of commands that may run, such as backup *,true; empty is all",
  },
  { key: "shell", type: "text", default: "/bin/sh", summary: "Shell that runs commands" },
  {
    key: "log_level",
    type: "choice",
    choices: ["debug", "info", "warn", "error"],
    default: "info",
    summary: "Least level that workers log",
  },
];

const BY_KEY: ReadonlyMap<string, SettingSpec> = new Map(SETTINGS.map((spec) => [spec.key, spec]));

/** Other names of settings, in lower case with underscores. `total` ones count attempts, not retries. */
const ALIASES: Readonly<Record<string, { key: SettingKey; total?: true }>> = {
  default_max_retries: { key: "max_retries" },
  default_max_tries: { key: "max_retries", total: true },
  max_attempts: { key: "max_retries", total: true },
  retry_delay_type: { key: "backoff_strategy" },
  job_retry_delay: { key: "backoff_delay" },
  fixed_retry_delay: { key: "backoff_delay" },
  worker_timeout: { key: "lease" },
  worker_heartbeat_interval: { key: "heartbeat_interval" },
  max_concurrent_jobs: { key: "worker_concurrency" },
};

/** `max-retries`, `maxRetries` and `MAX_RETRIES` are all `max_retries`. */
function normalised(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll("-", "_").toLowerCase();
}

/** A setting by any of its names, and whether the name counts attempts instead of retries. */
export function findSetting(name: string): { spec: SettingSpec; isTotal: boolean } {
  const key = normalised(name);
  const alias = ALIASES[key];
  const spec = BY_KEY.get(alias?.key ?? key);
  if (spec !== undefined) return { spec, isTotal: alias?.total === true };
  const nearest = nearestName(key, BY_KEY.keys());
  throw new UsageError(`Unknown setting ${JSON.stringify(name)}`, {
    hint: nearest === undefined ? "queuectl config list" : `queuectl config get ${nearest}`,
  });
}

/** Checks a text for a setting and gives its canonical form. */
export function canonicalSetting(name: string, text: string): { spec: SettingSpec; text: string } {
  const { spec, isTotal } = findSetting(name);
  if (!isTotal) return { spec, text: canonical(spec, text) };
  const total = settingNumber({ ...spec, min: 1 }, text, normalised(name));
  return { spec, text: String(total - 1) };
}

/** The value of a setting's text, already checked by `canonicalSetting` or about to be. */
export function settingValue(spec: SettingSpec, text: string): string | number {
  switch (spec.type) {
    case "integer":
    case "number":
      return settingNumber(spec, text, spec.key);
    case "duration": {
      const ms = parseDuration(text, spec.key);
      if (ms === 0 && MUST_PASS.has(spec.key)) {
        throw new InvalidValueError(spec.key, text, "expected a duration above 0");
      }
      return ms;
    }
    case "size":
      return parseByteSize(text, spec.key);
    case "choice":
      if (spec.choices?.includes(text)) return text;
      throw new InvalidValueError(spec.key, text, `expected ${spec.choices?.join(", ")}`);
    case "text":
      if (spec.key === "shell" && !text.startsWith("/")) {
        throw new InvalidValueError(spec.key, text, "expected an absolute path such as /bin/sh");
      }
      if (spec.key === "redact") parseRedaction(text, spec.key);
      if (spec.key === "secret_env") return parseSecretEnv(text)?.join(",") ?? "";
      return text;
  }
}

/** Durations for which 0 would mean a busy loop. */
const MUST_PASS: ReadonlySet<SettingKey> = new Set(["heartbeat_interval", "lease", "poll_interval", "backoff_max"]);

function canonical(spec: SettingSpec, text: string): string {
  const value = settingValue(spec, text);
  if (typeof value === "string") return value;
  if (spec.type === "duration") return formatDurationExact(value);
  return spec.type === "size" ? formatByteSizeExact(value) : String(value);
}

function settingNumber(spec: SettingSpec, text: string, name: string): number {
  // With an exponent, too: that is how very small and very large numbers are written as canonical text.
  const number = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
  const { min = -Infinity, max = Infinity } = spec;
  const isWhole = spec.type === "number" || Number.isInteger(number);
  if (isWhole && Number.isFinite(number) && number >= min && number <= max) return number + 0;
  const kind = spec.type === "integer" ? "a whole number" : "a number";
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new InvalidValueError(name, text, `expected ${kind} ${range}`);
}
