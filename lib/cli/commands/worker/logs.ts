/** `queuectl worker logs`: what supervisors and workers in the background wrote, for people. @module */
import { visibleText } from "../../../core/visible_text.ts";
import { NotFoundError, quoted, StoreUnavailableError, UsageError } from "../../../core/errors.ts";
import { parseName } from "../../../core/job_fields.ts";
import { formatLocal } from "../../../core/point_in_time.ts";
import type { LogEntry } from "../../../log/log_entry.ts";
import { fieldsText, LOG_LEVELS } from "../../../log/logger.ts";
import { LogReader, poolsWithLogs } from "../../../log/read_log.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { integer, isOn, text } from "../../input.ts";
import { type Style, stylerFor } from "../../output/color.ts";
import { isJsonFormat, printJsonList } from "../../output/json.ts";

/** How often a followed log is looked at: sooner than a person notices. */
const FOLLOW_MS = 200;

export async function run(context: Context, input: Input): Promise<void> {
  const folder = await logFolder(context);
  const level = text(input, "level") ?? "debug";
  const isFollowed = isOn(input, "follow");
  const tail = integer(input, "tail");
  if (tail !== undefined && tail < 0) throw new UsageError(`Invalid --tail "${tail}": expected 0 or more`);
  const pools = chosen(folder, text(input, "pool"), isFollowed);
  if (pools.length === 0 && !isFollowed) {
    if (isJsonFormat(context)) printJsonList(context, []);
    else context.note("No worker has run in the background");
    return;
  }
  const reader = new LogReader(folder, pools);
  const next = () => atLeast(reader.next(), level);
  try {
    const first = tail === undefined ? next() : lastOf(next(), tail);
    // An array has no end while it is followed: then there is one entry to a line.
    if (!isFollowed) return show(context, first);
    const lines = context.format === "json" ? { ...context, format: "ndjson" as const } : context;
    show(lines, first);
    const named = text(input, "pool");
    await follow(() => {
      if (named === undefined) reader.include(poolsWithLogs(folder));
      show(lines, next());
    });
  } finally {
    reader.close();
  }
}

/** The logs are plain files, and wanted most when the database cannot be read. */
async function logFolder(context: Context): Promise<string> {
  try {
    return `${(await context.store("read")).folder}/logs`;
  } catch (error) {
    const folder = `${context.dbPath}.d/logs`;
    if (error instanceof StoreUnavailableError && poolsWithLogs(folder).length > 0) return folder;
    throw error;
  }
}

function chosen(folder: string, named: string | undefined, isFollowed: boolean): readonly string[] {
  const found = poolsWithLogs(folder);
  if (named === undefined) return found;
  const name = parseName(named, "pool");
  if (!isFollowed && !found.includes(name)) {
    throw new NotFoundError(`No logs of pool ${quoted(name)}`, { hint: "queuectl worker logs" });
  }
  return [name];
}

/** Until INT or TERM, which is the usual end of it. */
async function follow(look: () => void): Promise<void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const signals: Deno.Signal[] = ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, resolve);
  const timer = Promise.withResolvers<never>();
  const handle = setInterval(() => {
    try {
      look();
    } catch (error) {
      timer.reject(error);
    }
  }, FOLLOW_MS);
  try {
    await Promise.race([isOver, timer.promise]);
  } finally {
    clearInterval(handle);
    for (const signal of signals) Deno.removeSignalListener(signal, resolve);
  }
}

function show(context: Context, entries: Iterable<LogEntry>): void {
  if (isJsonFormat(context)) return printJsonList(context, entries);
  const paint = stylerFor(context.color);
  for (const { time, level, event, pool, role, pid, fields } of entries) {
    const mark = paint(STYLES[level], level.padEnd(LEVEL_WIDTH));
    const at = context.format === "plain" ? time : formatLocal(Date.parse(time));
    const text = visibleText(`${pool} ${role} ${pid}: ${event}${fieldsText(fields)}`);
    context.write(`${paint("dim", visibleText(at))} ${mark} ${text}\n`, { isStyled: true });
  }
}

const LEVEL_WIDTH = Math.max(...LOG_LEVELS.map((level) => level.length));
const STYLES: Readonly<Record<LogEntry["level"], Style>> = {
  debug: "dim",
  info: "good",
  warn: "warning",
  error: "bad",
};

function* atLeast(entries: Iterable<LogEntry>, least: string): Generator<LogEntry> {
  const rank = LOG_LEVELS.findIndex((level) => level === least);
  for (const entry of entries) if (LOG_LEVELS.indexOf(entry.level) >= rank) yield entry;
}

function lastOf<T>(items: Iterable<T>, n: number): readonly T[] {
  const kept: T[] = [];
  for (const item of items) {
    kept.push(item);
    if (kept.length > n) kept.shift();
  }
  return kept;
}
