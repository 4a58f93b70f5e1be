/**
 * The files of the manual: a page under its name, and for each of its other
 * names a short file that leads to it.
 * @module
 */
import type { CommandTable } from "../command.ts";
import { manualPages } from "./pages.ts";
import { referenceTo, toRoff } from "./roff.ts";

/** `queuectl-enqueue.1` -> its content. */
export function manualFiles(table: CommandTable, version: string): ReadonlyMap<string, string> {
  return new Map(
    manualPages(table).flatMap((page): [string, string][] => [
      [`${page.name}.1`, toRoff(page, version)],
      ...page.otherNames.map((name): [string, string] => [`${name}.1`, referenceTo(page)]),
    ]),
  );
}
