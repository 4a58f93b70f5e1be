/**
 * Something that is shown again whenever it changes, until Ctrl-C: on a
 * terminal in its place, elsewhere one snapshot after the other.
 * @module
 */
import type { Context } from "../context.ts";
import { shownText } from "./terminal_text.ts";

/** How often it is looked at. */
const INTERVAL_MS = 500;

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
/** To the upper left corner; what is left of the last picture is erased line by line and at the end. */
const HOME = "\x1b[H";
const CLEAR = "\x1b[2J";
const ERASE_LINE = "\x1b[K";
const ERASE_BELOW = "\x1b[J";

export interface Picture {
  readonly text: string;
  /** Differs when something happened; what only tells how long ago it was does not count where snapshots are printed. */
  readonly essence: string;
}

export interface LiveOptions {
  /** Default: INT or TERM to this process. */
  readonly signal?: AbortSignal;
  /** Default: 500. */
  readonly intervalMs?: number;
}

/** Shows what `picture` gives until it is stopped. */
export async function showLive(
  context: Pick<Context, "isTerminal" | "color" | "write" | "writeBytes">,
  picture: () => Promise<Picture>,
  options: LiveOptions = {},
): Promise<void> {
  using stop = options.signal === undefined ? stopSignals() : { signal: options.signal, [Symbol.dispose]() {} };
  const isTerminal = context.isTerminal;
  const encoder = new TextEncoder();
  const control = (codes: string) => context.writeBytes(encoder.encode(codes));
  let last: string | undefined;
  if (isTerminal) control(HIDE_CURSOR + CLEAR);
  try {
    while (!stop.signal.aborted) {
      const { text, essence } = await picture();
      const next = isTerminal ? text : essence;
      if (next !== last && !isTerminal) context.write(text);
      // In one piece with the codes that place it: it would flicker otherwise.
      else if (next !== last) control(inPlace(shownText(text, { hasStyles: context.color }), terminalRows()));
      last = next;
      await pause(options.intervalMs ?? INTERVAL_MS, stop.signal);
    }
  } finally {
    if (isTerminal) control(SHOW_CURSOR);
  }
}

/** A picture over the last one, without a moment of empty screen. */
export function inPlace(text: string, rows: number): string {
  const lines = text.replace(/\n$/, "").split("\n").slice(0, Math.max(1, rows - 1));
  return HOME + lines.map((line) => `${line}${ERASE_LINE}\n`).join("") + ERASE_BELOW;
}

function terminalRows(): number {
  try {
    // 0: its size is not known, and what is too much scrolls away.
    return Deno.consoleSize().rows || Infinity;
  } catch {
    return Infinity;
  }
}

function stopSignals(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) Deno.removeSignalListener(name, stop);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener("abort", over);
  });
}
