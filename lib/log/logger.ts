/**
 * Log lines: a fixed phrase plus fields, `job finished id=7f3a attempt=2 ms=118`.
 * @module
 */
import { visibleText } from "../core/visible_text.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof LOG_LEVELS[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Logger {
  debug(phrase: string, fields?: LogFields): void;
  info(phrase: string, fields?: LogFields): void;
  warn(phrase: string, fields?: LogFields): void;
  error(phrase: string, fields?: LogFields): void;
}

/** Writes lines for people: time of day, level when it is not info, phrase, fields. */
export function textLogger(
  options: { write: (line: string) => void; level: () => LogLevel; now: () => number },
): Logger {
  const at = (level: LogLevel) => (phrase: string, fields: LogFields = {}) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(options.level())) return;
    const time = new Date(options.now()).toTimeString().slice(0, 8);
    const mark = level === "info" ? "" : `${level}: `;
    options.write(`${time} ${mark}${phrase}${fieldsText(fields)}\n`);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** ` name=value` for each field; nothing of it can drive a terminal. */
export function fieldsText(fields: LogFields): string {
  let text = "";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    const shown = visibleText(String(value));
    text += ` ${visibleText(name)}=${/[\s"=]/.test(shown) || shown === "" ? JSON.stringify(shown) : shown}`;
  }
  return text;
}
