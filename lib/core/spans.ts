/** Parts of a text that are to be replaced. @module */

/** What stands for each of them. */
export const REDACTED = "[redacted]";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** In order, those that overlap as one. */
export function merged(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
