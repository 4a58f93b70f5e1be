/**
 * Findings as the lines of one table.
 * @module
 */
import { type Finding, type Limit, ratioOf, type Unit, verdictOf } from "./finding.ts";

const HEADINGS = ["what", "measured", "floor", "ratio", "pass", "goal", "verdict"];

export function tableLines(findings: readonly Finding[]): string[] {
  return alignedLines(HEADINGS, findings.map(cells));
}

/** Columns of one width; the first one is text, the others are figures. */
export function alignedLines(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)).join("  ");
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [line(headings), rule, ...rows.map(line)];
}

function cells(finding: Finding): string[] {
  const { what, unit, measured, floor, limit } = finding;
  const ratio = ratioOf(finding);
  return [
    what,
    amount(measured, unit),
    floor === null ? "-" : amount(floor, unit),
    ratio === null ? "-" : share(ratio),
    asked(limit, limit.pass, unit),
    asked(limit, limit.goal, unit),
    verdictOf(finding),
  ];
}

function asked({ of, better }: Limit, value: number | undefined, unit: Unit): string {
  if (value === undefined) return "-";
  return `${better === "lower" ? "<=" : ">="} ${of === "ratio" ? share(value) : amount(value, unit)}`;
}

export function share(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

export function amount(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  const text = value.toLocaleString("en", { maximumFractionDigits: digits });
  return unit === "/s" ? `${text}/s` : `${text} ${unit}`;
}
