/**
 * What the end of a run means: success, a final failure, another try later, or
 * a failure to be retried.
 *
 * A job carries its rules as short texts, which are also their JSON shape:
 * `ok_on: "0,3"`, `fail_on: "64-78,126,127"`, `snooze_on: "75:10m"`,
 * `retry_on: "75,timeout,signal,spawn"`. They are looked at in this order and
 * matched against the code that `queuectl run` would exit with: 128+N after
 * signal N, 124 after a timeout, 126 or 127 when the command did not start.
 * @module
 */
import { formatDurationExact, parseDuration } from "./duration.ts";
import { InvalidValueError } from "./errors.ts";
import { nearestName } from "./nearest_name.ts";
import { type RunResult, shellExitCode } from "./run_result.ts";

/** Canonical texts; null where there is no rule. */
export interface ExitRules {
  /** Exactly the codes that are success; null means 0. */
  readonly ok_on: string | null;
  /** Dead at once. */
  readonly fail_on: string | null;
  /** Tried again after the delay, without using up an attempt. */
  readonly snooze_on: string | null;
  /** Only these failures are retried, all others are dead at once; null retries all. */
  readonly retry_on: string | null;
}

export type Verdict =
  | { readonly kind: "success" }
  /** `rule` is the one that made it final. */
  | { readonly kind: "fatal"; readonly rule: "fail_on" | "retry_on" }
  | { readonly kind: "snooze"; readonly delayMs: number }
  | { readonly kind: "retry" };

type RuleName = keyof ExitRules;
const RULE_NAMES = ["ok_on", "fail_on", "snooze_on", "retry_on"] as const satisfies readonly RuleName[];

/** 0 succeeds, everything else is retried. */
export const NO_EXIT_RULES: ExitRules = Object.freeze({ ok_on: null, fail_on: null, snooze_on: null, retry_on: null });

/** Failures that have a name besides their code. A success cannot be one of these. */
const WORDS: ReadonlyMap<string, RunResult["kind"]> = new Map([
  ["timeout", "timed_out"],
  ["signal", "signalled"],
  ["spawn", "not_started"],
]);

/** What may stand in `retry_on` and `fail_on` beside codes. */
export const FAILURE_WORDS: readonly string[] = [...WORDS.keys()];

/** One entry of a rule: a range of codes or a kind of result; `delayMs` only in `snooze_on`. */
type Entry =
  & ({ readonly from: number; readonly to: number } | { readonly kind: RunResult["kind"] })
  & { readonly text: string; readonly delayMs: number };

const EXPECTED: Readonly<Record<RuleName, string>> = {
  ok_on: "expected exit codes from 0 to 255 such as 0,3 or 0-4",
  fail_on: "expected exit codes from 0 to 255, timeout, signal or spawn, such as 64-78,127",
  snooze_on: "expected an exit code and a delay such as 75:10m",
  retry_on: "expected exit codes from 0 to 255, timeout, signal or spawn, such as 75,timeout",
};

/**
 * Reads exit rules from JSON. Each rule is text, a number, or a list of them;
 * null and undefined mean no rule.
 * @throws {InvalidValueError} naming the rule that is wrong, or the nearest name of an unknown one.
 */
export function parseExitRules(value: unknown): ExitRules {
  if (value === undefined || value === null) return NO_EXIT_RULES;
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new InvalidValueError("exit_rules", value, `expected an object with ${RULE_NAMES.join(", ")}`);
  }
  const rules: Record<RuleName, string | null> = { ...NO_EXIT_RULES };
  for (const [key, rule] of Object.entries(value)) {
    const name = RULE_NAMES.find((known) => known === key);
    if (name === undefined) {
      const nearest = nearestName(key, RULE_NAMES);
      const guess = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      throw new InvalidValueError("exit_rules field", key, `expected ${RULE_NAMES.join(", ")}${guess}`);
    }
    rules[name] = parseExitRule(name, rule);
  }
  return rules;
}

/** Reads one rule and gives its canonical text: no blanks, no leading zeros, nothing twice. */
export function parseExitRule(name: RuleName, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0 || !items.every((item) => typeof item === "string" || typeof item === "number")) {
    throw new InvalidValueError(name, value, EXPECTED[name]);
  }
  const entries = readEntries(name, items.join(","), value);
  return [...new Set(entries.map((entry) => entry.text))].join(",");
}

/** What a run's end means under the rules. Only the end of a process is judged: anything else is `retry`. */
export function verdict(result: RunResult, rules: ExitRules): Verdict {
  if (result.kind === "cancelled" || result.kind === "interrupted" || result.kind === "lost") return { kind: "retry" };
  if (rules.ok_on === null ? result.kind === "exited" && result.code === 0 : match("ok_on", rules.ok_on, result)) {
    return { kind: "success" };
  }
  if (match("fail_on", rules.fail_on, result)) return { kind: "fatal", rule: "fail_on" };
  const snooze = match("snooze_on", rules.snooze_on, result);
  if (snooze) return { kind: "snooze", delayMs: snooze.delayMs };
  const isRetried = rules.retry_on === null || match("retry_on", rules.retry_on, result) !== undefined;
  return isRetried ? { kind: "retry" } : { kind: "fatal", rule: "retry_on" };
}

function match(name: RuleName, text: string | null, result: RunResult): Entry | undefined {
  if (text === null) return undefined;
  const code = shellExitCode(result);
  return entriesOf(name, text).find((entry) =>
    "kind" in entry ? entry.kind === result.kind : entry.from <= code && code <= entry.to
  );
}

/** Rules repeat from job to job. Emptied when full: cheaper than keeping an order, and as good for so few texts. */
const parsed = new Map<string, readonly Entry[]>();
const MAX_PARSED = 1_000;

function entriesOf(name: RuleName, text: string): readonly Entry[] {
  const key = `${name} ${text}`;
  let entries = parsed.get(key);
  if (entries === undefined) {
    entries = readEntries(name, text, text);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(key, entries);
  }
  return entries;
}

function readEntries(name: RuleName, text: string, value: unknown): readonly Entry[] {
  return text.split(",").map((item) => {
    const entry = name === "snooze_on" ? readSnooze(item) : readCodes(name, item.trim());
    if (entry === undefined) throw new InvalidValueError(name, value, EXPECTED[name]);
    return entry;
  });
}

function readSnooze(item: string): Entry | undefined {
  const [codes = "", delay, ...rest] = item.split(":");
  if (delay === undefined || rest.length > 0) return undefined;
  const entry = readCodes("snooze_on", codes.trim());
  const delayMs = parseDuration(delay, "snooze_on delay");
  // A snooze of no time would run the job again and again without a pause, free of charge.
  if (entry === undefined || delayMs === 0) return undefined;
  return { ...entry, text: `${entry.text}:${formatDurationExact(delayMs)}`, delayMs };
}

function readCodes(name: RuleName, item: string): Entry | undefined {
  const kind = name === "ok_on" ? undefined : WORDS.get(item);
  if (kind !== undefined) return { kind, text: item, delayMs: 0 };
  const range = /^(\d{1,3})(?:\s*-\s*(\d{1,3}))?$/.exec(item);
  if (range === null) return undefined;
  const from = Number(range[1]);
  const to = range[2] === undefined ? from : Number(range[2]);
  if (from > to || to > 255) return undefined;
  return { from, to, text: from === to ? `${from}` : `${from}-${to}`, delayMs: 0 };
}
