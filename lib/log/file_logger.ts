/**
 * Writes log lines to a file, as JSON. A line that cannot be written is lost
 * and counted: a full disk must not fail a job.
 * @module
 */
import { LOG_LEVELS, type LogFields, type Logger, type LogLevel } from "./logger.ts";
import type { LogEntry, LogRole } from "./log_entry.ts";
import { RotatingFile, type RotationLimits } from "./rotating_file.ts";

export interface FileLoggerOptions extends RotationLimits {
  readonly path: string;
  readonly pool: string;
  readonly role: LogRole;
  readonly pid: number;
  readonly level: () => LogLevel;
  readonly now: () => number;
}

export interface FileLogger extends Logger {
  /** What was lost so far; null: nothing. */
  trouble(): string | null;
  close(): void;
}

export function fileLogger(options: FileLoggerOptions): FileLogger {
  const { path, pool, role, pid, level: least, now } = options;
  const file = new RotatingFile(path, options);
  let lost = 0;
  let reason = "";
  const at = (level: LogLevel) => (event: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least())) return;
    const entry: LogEntry = { time: new Date(now()).toISOString(), level, event, pool, role, pid, fields };
    try {
      file.append(`${JSON.stringify(entry)}\n`);
    } catch (error) {
      lost++;
      reason = error instanceof Error ? error.message : String(error);
    }
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    trouble: () => lost === 0 ? null : `${lost} log ${lost === 1 ? "line was" : "lines were"} not written: ${reason}`,
    close: () => file.close(),
  };
}

/** Both get every line. */
export function bothLoggers(a: Logger, b: Logger): Logger {
  const at = (level: LogLevel) => (phrase: string, fields?: LogFields) => {
    a[level](phrase, fields);
    b[level](phrase, fields);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
