/**
 * One way to print a list of records: table, JSON, NDJSON, or plain lines with
 * tabs between the fields and no header.
 * @module
 */
import { visibleText } from "../../core/visible_text.ts";
import type { Context } from "../context.ts";
import { type Style, stylerFor } from "./color.ts";
import { isJsonFormat, JsonListWriter, printJsonList } from "./json.ts";
import { renderTable, type TableColumn } from "./table.ts";

export interface ListColumn<T> extends TableColumn {
  /** What the cell shows; null, undefined and "" show as `-`. */
  readonly value: (record: T) => string | number | null | undefined;
  /** What `--format plain` shows where it differs, such as exact times. */
  readonly plain?: (record: T) => string | number | null | undefined;
  readonly style?: (record: T) => Style | undefined;
}

export interface ListOptions<T> {
  readonly columns: readonly ListColumn<T>[];
  /** The record as JSON. Default: as it is. */
  readonly toJson?: (record: T) => unknown;
  /** Said on stderr instead of an empty table: `No jobs`. */
  readonly whenEmpty: string;
}

export type ListContext = Pick<Context, "format" | "color" | "isTerminal" | "columns" | "write" | "note">;

/** Prints the records in the format that the user asked for. */
export async function printList<T>(
  context: ListContext,
  records: readonly T[],
  options: ListOptions<T>,
): Promise<void> {
  const { columns, toJson = (record: T) => record } = options;
  if (isJsonFormat(context)) {
    printJsonList(context, mapped(records, toJson));
  } else if (context.format === "plain") {
    const lines = records.map((record) => columns.map((column) => plainCell(column, record)).join("\t") + "\n");
    if (lines.length > 0) context.write(lines.join(""));
  } else if (records.length === 0) {
    context.note(options.whenEmpty);
  } else {
    context.write(await tableOf(context, records, options), { isStyled: true });
  }
}

/**
 * Prints records page by page as they come, so that a million need no more memory than a page. Returns how many.
 * A table adjusts its columns at each page; one page looks as `printList` prints it.
 */
export async function printPages<T>(
  context: ListContext,
  pages: AsyncIterable<readonly T[]>,
  options: ListOptions<T>,
): Promise<number> {
  const { toJson = (record: T) => record } = options;
  const json = isJsonFormat(context) ? new JsonListWriter(context) : undefined;
  const widths: number[] = [];
  let count = 0;
  for await (const page of pages) {
    if (json !== undefined) { for (const record of page) json.add(toJson(record)); }
    else if (context.format === "plain") await printList(context, page, options);
    else context.write(await tableOf(context, page, options, { hasHeader: count === 0, widths }), { isStyled: true });
    count += page.length;
  }
  json?.end();
  if (count === 0 && context.format === "table") context.note(options.whenEmpty);
  return count;
}

function tableOf<T>(
  context: ListContext,
  records: readonly T[],
  { columns }: ListOptions<T>,
  part: { hasHeader?: boolean; widths?: number[] } = {},
): Promise<string> {
  const rows = records.map((record) =>
    columns.map((column) => ({ text: shown(column.value(record)), style: column.style?.(record) }))
  );
  const width = context.isTerminal ? context.columns : undefined;
  return renderTable(columns, rows, { paint: stylerFor(context.color), columns: width, ...part });
}

function* mapped<T>(records: Iterable<T>, change: (record: T) => unknown): Generator<unknown> {
  for (const record of records) yield change(record);
}

function plainCell<T>(column: ListColumn<T>, record: T): string {
  return visibleText(String((column.plain ?? column.value)(record) ?? ""));
}

function shown(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === "" ? "-" : String(value);
}
