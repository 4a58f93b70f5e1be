/**
 * One line of a log file: time, level, event, fields, and who wrote it.
 * @module
 */
import { LOG_LEVELS, type LogFields, type LogLevel } from "./logger.ts";

export interface LogEntry {
  /** RFC 3339, UTC, milliseconds: entries sort by it as text. */
  readonly time: string;
  readonly level: LogLevel;
  /** A fixed phrase. */
  readonly event: string;
  readonly pool: string;
  readonly role: LogRole;
  readonly pid: number;
  readonly fields: LogFields;
}

export type LogRole = "supervisor" | "worker";

/** Undefined for what is no entry: a line cut short by a full disk, or somebody else's. */
export function parseLogEntry(line: string): LogEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const entry = value as Partial<LogEntry>;
  const isWhole = typeof entry.time === "string" && typeof entry.event === "string" &&
    LOG_LEVELS.some((level) => level === entry.level) && typeof entry.fields === "object" && entry.fields !== null;
  return isWhole ? entry as LogEntry : undefined;
}

/** Where the processes of a pool write, in the folder of logs. */
export function poolLogName(pool: string): string {
  return `worker-${pool}.log`;
}

/** The pool of a file in the folder of logs; undefined when it is none of these. */
export function poolOfLogName(name: string): string | undefined {
  return /^worker-(.+)\.log$/.exec(name)?.[1];
}
