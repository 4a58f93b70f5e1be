/**
 * How runs lie beside each other in time.
 * @module
 */
interface Span {
  readonly started_at: number;
  readonly finished_at: number | null;
}

/** How many there were at the same time. One that begins when another ends is not at the same time. */
export function mostAtOnce(runs: readonly Span[]): number {
  const changes = runs.flatMap((run) => [[run.started_at, 1], [run.finished_at ?? Infinity, -1]] as const)
    .toSorted(([a, up], [b, down]) => a - b || up - down);
  let now = 0;
  let most = 0;
  for (const [, change] of changes) most = Math.max(most, now += change);
  return most;
}
