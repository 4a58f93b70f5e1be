/**
 * Finds the name that a person most likely meant, for "did you mean" hints.
 * @module
 */

/** A shorter beginning (`st`) fits too many names to be a useful guess. */
const SHORTEST_PREFIX = 3;

/**
 * The candidate nearest to `name`, or undefined when none is near enough to be
 * a helpful guess. Letter case and the difference between `-` and `_` are
 * ignored; among equals the first candidate wins. The start of a name counts
 * as one typing error, so that `sched` finds `schedule`.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = normalForm(name);
  if (wanted === "") return undefined;
  let nearest: string | undefined;
  let nearestDistance = mostErrors(wanted) + 1;
  for (const candidate of candidates) {
    const distance = distanceTo(wanted, normalForm(candidate));
    if (distance >= nearestDistance) continue;
    nearest = candidate;
    nearestDistance = distance;
  }
  return nearest;
}

/** camelCase, kebab-case and snake_case spellings of a name are one name. */
function normalForm(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** A third of the letters may be wrong, at least one, at most three: beyond that every guess is noise. */
function mostErrors(name: string): number {
  return Math.min(3, Math.max(1, Math.floor(name.length / 3)));
}

function distanceTo(wanted: string, candidate: string): number {
  if (wanted === candidate) return 0;
  // Every one-letter name is one error away from every other one.
  if (Math.max(wanted.length, candidate.length) < 2) return Infinity;
  if (wanted.length >= SHORTEST_PREFIX && candidate.startsWith(wanted)) return 1;
  return editDistance(wanted, candidate);
}

/** Optimal string alignment: insert, delete, replace, or swap two neighbours, one error each. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, at(beforePrevious, column - 2) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
