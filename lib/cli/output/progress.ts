/**
 * One line on stderr that shows how far long work has come. Only on a
 * terminal, and not with --quiet; it is gone when the work is.
 * @module
 */
import type { Context } from "../context.ts";
import { writeErr } from "./streams.ts";
import { shownLine } from "./terminal_text.ts";

/** Often enough to look alive. */
const REDRAW_MS = 100;
const BAR_COLUMNS = 24;

export interface Progress {
  /** Shows `LABEL BAR 45 % 450,000 of 1,000,000`, or without a total `LABEL 450,000`. Cheap when called often. */
  show(label: string, done: number, total?: number): void;
  /** Takes the line away. */
  clear(): void;
}

const NONE: Progress = { show() {}, clear() {} };

export function progressFor(context: Pick<Context, "quiet" | "columns">): Progress {
  if (context.quiet || !Deno.stderr.isTerminal()) return NONE;
  let drawnAt = -Infinity;
  let isDrawn = false;
  return {
    show(label, done, total) {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      isDrawn = true;
      writeErr(`\r${shownLine(progressLine(label, done, total)).slice(0, context.columns - 1)}\x1b[K`);
    },
    clear() {
      if (isDrawn) writeErr("\r\x1b[K");
      isDrawn = false;
    },
  };
}

export function progressLine(label: string, done: number, total?: number): string {
  const count = done.toLocaleString("en");
  if (total === undefined || total === 0) return `${label} ${count}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_COLUMNS);
  const bar = "█".repeat(filled) + "░".repeat(BAR_COLUMNS - filled);
  return `${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} % ${count} of ${total.toLocaleString("en")}`;
}
