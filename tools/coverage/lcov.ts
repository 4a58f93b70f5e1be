/** Reads the lines hit per file from an lcov report. @module */

export interface FileCoverage {
  path: string;
  /** Lines that could run. */
  lines: number;
  /** Lines that did. */
  hit: number;
}

/** Counts the `DA:line,times` records below each `SF:path`. */
export function fileCoverage(lcov: string): FileCoverage[] {
  const files: FileCoverage[] = [];
  for (const line of lcov.split("\n")) {
    if (line.startsWith("SF:")) files.push({ path: line.slice("SF:".length), lines: 0, hit: 0 });
    const file = files.at(-1);
    if (file === undefined || !line.startsWith("DA:")) continue;
    file.lines++;
    if (Number(line.split(",")[1]) > 0) file.hit++;
  }
  return files;
}
