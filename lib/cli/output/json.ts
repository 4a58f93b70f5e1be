/**
 * JSON on stdout, in the two shapes that scripts ask for. Characters that could
 * mislead a reader are escaped; a parser gets the same value.
 * @module
 */
import { visibleJson } from "../../core/visible_text.ts";
import type { Context } from "../context.ts";

export function isJsonFormat(context: Pick<Context, "format">): boolean {
  return context.format === "json" || context.format === "ndjson";
}

/** One value: indented for `json`, on one line for `ndjson`. */
export function printJson(context: Pick<Context, "format" | "write">, value: unknown): void {
  context.write(`${context.format === "ndjson" ? jsonText(value) : jsonText(value, 2)}\n`);
}

/** The JSON of a value, safe to show on a terminal. */
export function jsonText(value: unknown, indent?: number): string {
  // Stringify gives undefined for what is no JSON at all; nothing here prints such a value.
  return visibleJson(JSON.stringify(value, null, indent) ?? "null");
}

/** A list: an array with one record to a line, or (`ndjson`) the lines alone. */
export function printJsonList(context: Pick<Context, "format" | "write">, records: Iterable<unknown>): void {
  const list = new JsonListWriter(context);
  for (const record of records) list.add(record);
  list.end();
}

/** Writes a list in pieces as its records come, so that a million of them need no second copy in memory. */
export class JsonListWriter {
  readonly #context: Pick<Context, "format" | "write">;
  readonly #isArray: boolean;
  #piece: string;
  #isFirst = true;

  constructor(context: Pick<Context, "format" | "write">) {
    this.#context = context;
    this.#isArray = context.format !== "ndjson";
    this.#piece = this.#isArray ? "[" : "";
  }

  add(record: unknown): void {
    if (this.#isArray) this.#piece += this.#isFirst ? "\n  " : ",\n  ";
    this.#piece += jsonText(record) + (this.#isArray ? "" : "\n");
    this.#isFirst = false;
    if (this.#piece.length >= PIECE_LENGTH) this.#flush();
  }

  end(): void {
    if (this.#isArray) this.#piece += this.#isFirst ? "]\n" : "\n]\n";
    this.#flush();
  }

  #flush(): void {
    if (this.#piece !== "") this.#context.write(this.#piece);
    this.#piece = "";
  }
}

/** Long enough that the number of writes does not matter, short against the memory of the program. */
const PIECE_LENGTH = 64 * 1024;
