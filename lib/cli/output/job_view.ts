/**
 * How jobs look to people: the columns of lists, and one job in full.
 * @module
 */
import { formatByteSize } from "../../core/byte_size.ts";
import { formatDuration } from "../../core/duration.ts";
import type { Job, Run } from "../../core/job.ts";
import { formatLocal, formatRelative, formatTime } from "../../core/point_in_time.ts";
import { visibleText } from "../../core/visible_text.ts";
import { jobToJson } from "../../core/job_json.ts";
import { shellQuote } from "../shell_quote.ts";
import { styleOfState, type Styler } from "./color.ts";
import type { ListColumn } from "./format_list.ts";

/** The command of a job on one line, as it could be typed. */
export function commandLine(job: Job): string {
  return job.command ?? (job.argv ?? []).map(shellQuote).join(" ");
}

export function jobColumns(now: number): readonly ListColumn<Job>[] {
  return [
    { header: "ID", value: (job) => job.id },
    { header: "STATE", value: (job) => job.state, style: (job) => styleOfState(job.state) },
    { header: "QUEUE", value: (job) => job.queue },
    { header: "PRIO", align: "right", value: (job) => job.priority },
    { header: "TRIES", align: "right", value: (job) => `${job.attempts}/${job.max_retries + 1}` },
    {
      header: "WHEN",
      value: (job) => formatRelative(momentOf(job), now),
      plain: (job) => formatTime(momentOf(job)),
    },
    { header: "COMMAND", canShrink: true, value: commandLine },
  ];
}

/** The time that says most about a job in its state: when it will run, or when it changed last. */
function momentOf(job: Job): number {
  return job.run_at ?? job.updated_at;
}

/** One job as a block of `label: value` lines, then its runs. */
export function jobBlock(job: Job, runs: readonly Run[], { paint, now }: { paint: Styler; now: number }): string {
  const json = jobToJson(job);
  const lines: [string, string | null][] = [
    ["Job", job.id],
    ["State", paint(styleOfState(job.state), job.state)],
    ["Reason", String(json.reason)],
    ["Command", commandLine(job)],
    ["Queue", `${job.queue}, priority ${job.priority}`],
    ["Attempts", `${job.attempts} of ${job.max_retries + 1}, ${job.run_count} ${job.run_count === 1 ? "run" : "runs"}`],
    ["Crashes", job.crashes === 0 ? null : String(job.crashes)],
    ["Backoff", backoffText(job)],
    ["Timeout", job.timeout_ms === null ? null : formatDuration(job.timeout_ms)],
    ["Exit rules", rulesText(job)],
    ["After", namesText(job.after)],
    ["After any", namesText(job.after_any)],
    ["Key", job.key === null ? null : `${job.key} (${job.key_scope ?? "active"})`],
    ["Lock", job.lock],
    ["Gate", job.when],
    ["Batch", job.batch],
    ["Expires", job.expires_at === null ? null : moment(job.expires_at, now)],
    ["Tags", job.tags.length === 0 ? null : job.tags.join(", ")],
    ["Directory", job.cwd],
    ["Environment", job.env === null ? null : Object.keys(job.env).join(", ")],
    ["Secrets", job.secret_env === null ? null : `${job.secret_env.join(", ")} (from the worker)`],
    ["Limits", limitsText(job)],
    ["Created", moment(job.created_at, now)],
    ["Due", job.run_at === null ? null : moment(job.run_at, now)],
    ["Started", job.started_at === null ? null : moment(job.started_at, now)],
    ["Finished", job.finished_at === null ? null : moment(job.finished_at, now)],
    ["Duration", job.duration_ms === null ? null : formatDuration(job.duration_ms)],
    ["Exit code", job.exit_code === null ? null : `${job.exit_code}${job.signal === null ? "" : ` (${job.signal})`}`],
  ];
  const shown = lines.filter((line): line is [string, string] => line[1] !== null);
  const width = Math.max(...shown.map(([label]) => label.length)) + 1;
  // Only the state holds colour codes of ours; everything else may hold text of a user.
  const block = shown.map(([label, value]) =>
    `${paint("dim", `${label}:`.padEnd(width))} ${label === "State" ? value : visibleText(value)}\n`
  ).join("");
  return runs.length === 0
    ? block
    : `${block}${paint("dim", "Runs:")}\n${runs.map((run) => runLine(run, paint)).join("")}`;
}

function namesText(names: readonly string[] | null): string | null {
  return names === null ? null : names.join(", ");
}

function runLine(run: Run, paint: Styler): string {
  const outcome = run.outcome ?? "running";
  const took = run.duration_ms === null ? "" : `, ${formatDuration(run.duration_ms)}`;
  const why = run.reason === null ? "" : `: ${visibleText(run.reason)}`;
  return `  ${run.run}. ${formatLocal(run.started_at)}${took}  ${paint(styleOfState(outcome), outcome)}${why}\n`;
}

function moment(ms: number, now: number): string {
  return `${formatLocal(ms)} (${formatRelative(ms, now)})`;
}

function backoffText({ backoff, max_retries }: Job): string | null {
  if (max_retries === 0) return null;
  const kind = backoff.strategy === "exponential"
    ? `exponential, base ${backoff.base}`
    : `${backoff.strategy}, ${formatDuration(backoff.delay * 1_000)}`;
  const jitter = backoff.jitter === 0 ? "" : `, jitter ${backoff.jitter}`;
  return `${kind}, at most ${formatDuration(backoff.max * 1_000)}${jitter}`;
}

function limitsText({ limits }: Job): string | null {
  if (limits === null) return null;
  const memory = limits.memory === null ? [] : [`memory ${formatByteSize(limits.memory)}`];
  const time = limits.cpu_time_ms === null ? [] : [`CPU time ${formatDuration(limits.cpu_time_ms)}`];
  return [...memory, ...time].join(", ");
}

function rulesText({ exit_rules: rules }: Job): string | null {
  const said = Object.entries(rules).filter(([, rule]) => rule !== null).map(([name, rule]) => `${name} ${rule}`);
  return said.length === 0 ? null : said.join("; ");
}
