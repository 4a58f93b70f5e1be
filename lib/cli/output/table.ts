/**
 * Aligned columns for people. Cells are data and may hold anything, so that
 * everything that would drive a terminal is made visible first.
 * @module
 */
import { visibleText } from "../../core/visible_text.ts";
import type { Style, Styler } from "./color.ts";

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface TableColumn {
  readonly header: string;
  /** For numbers. Default left. */
  readonly align?: "left" | "right";
  /** May be cut when the terminal is too narrow. Default false. */
  readonly canShrink?: boolean;
}

export interface TableOptions {
  readonly paint: Styler;
  /** Cut to this many columns; absent = never cut, as in a pipe. */
  readonly columns?: number | undefined;
  /** Default: true. */
  readonly hasHeader?: boolean;
  /** Widths below which no column goes, and which are raised to those that were used: for tables in several parts. */
  readonly widths?: number[];
}

type Measure = (text: string) => number;

const GAP = "  ";
/** A column is never cut below this: less tells nothing. */
const LEAST_COLUMNS = 8;

/** The lines of a table with its header. */
export async function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions,
): Promise<string> {
  const cells = rows.map((row) => row.map(({ text, style }) => ({ text: visibleText(text), style })));
  const measure = await measureFor(cells);
  const widths = columns.map((column, i) =>
    cells.reduce(
      (most, row) => Math.max(most, measure(row[i]?.text ?? "")),
      Math.max(column.header.length, options.widths?.[i] ?? 0),
    )
  );
  if (options.columns !== undefined) shrink(widths, columns, options.columns);
  options.widths?.splice(0, Infinity, ...widths);
  const lineOf = (row: readonly Cell[]) =>
    columns.map((column, i) => {
      const width = widths[i] ?? 0;
      const text = cut(row[i]?.text ?? "", width, measure);
      const pad = " ".repeat(width - measure(text));
      const style = row[i]?.style;
      const shown = style === undefined ? text : options.paint(style, text);
      return column.align === "right" ? pad + shown : shown + pad;
    }).join(GAP).trimEnd();
  const header = columns.map(({ header }) => ({ text: header, style: "heading" as const }));
  return [...(options.hasHeader === false ? [] : [header]), ...cells].map((row) => `${lineOf(row)}\n`).join("");
}

/** Takes columns away from the widest that allows it, until the line fits or nothing more can go. */
function shrink(widths: number[], columns: readonly TableColumn[], available: number): void {
  const gaps = GAP.length * (widths.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, gaps) - available;
  while (excess > 0) {
    let widest = -1;
    columns.forEach((column, i) => {
      const canGo = column.canShrink === true && (widths[i] ?? 0) > LEAST_COLUMNS;
      if (canGo && (widths[i] ?? 0) > (widths[widest] ?? 0)) widest = i;
    });
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
}

function cut(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  let kept = "";
  for (const char of text) {
    if (measure(kept + char) > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** Nearly all tables are ASCII, and those need no table of wide characters. */
async function measureFor(rows: readonly (readonly Cell[])[]): Promise<Measure> {
  const isAscii = rows.every((row) => row.every((cell) => /^[\x20-\x7e]*$/.test(cell.text)));
  // The cut adds one "…", which is one column and one code unit.
  if (isAscii) return (text) => text.length;
  const { unicodeWidth } = await import("@std/cli/unicode-width");
  return unicodeWidth;
}
