/**
 * Reads the rows of a SQLite file page by page, without its tree: what a
 * damaged page hides from SQL is still there on the pages below it.
 *
 * Of each page only the cells are read that it lists itself: what was deleted
 * is not among them. Pages on the list of free pages
 * are left out. See https://www.sqlite.org/fileformat2.html for the layout.
 * @module
 */
import type { SqlValue } from "../driver.ts";

export interface PageRow {
  /** A row of a table with a number, or an entry of an index or of a table without one. */
  readonly kind: "table" | "index";
  /** 0 for entries. */
  readonly rowid: number;
  readonly values: readonly SqlValue[];
}

const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
/** Unlike those of tables, these hold entries of their own. */
const INDEX_INTERIOR = 0x02;
/** What this program makes, for a file whose header is gone. */
const USUAL_PAGE_SIZE = 4_096;
const HEADER_BYTES = 100;

/** Every row that can be read. `columns` chooses by how many values a row has. */
export function* rowsOfPages(bytes: Uint8Array, columns: ReadonlySet<number>): Generator<PageRow> {
  const file = new PageFile(bytes);
  const free = file.freePages();
  for (let page = 1; page <= file.pageCount; page++) {
    if (!free.has(page)) yield* file.rowsOf(page, columns);
  }
}

class PageFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #pageSize: number;
  /** A page without the bytes that are reserved at its end. */
  readonly #usable: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const hasHeader = new TextDecoder().decode(bytes.subarray(0, 15)) === "SQLite format 3";
    const size = hasHeader ? this.#view.getUint16(16) : USUAL_PAGE_SIZE;
    const isPowerOfTwo = size >= 512 && (size & (size - 1)) === 0;
    this.#pageSize = size === 1 ? 65_536 : isPowerOfTwo ? size : USUAL_PAGE_SIZE;
    this.#usable = this.#pageSize - (hasHeader ? bytes[20] ?? 0 : 0);
  }

  get pageCount(): number {
    return Math.floor(this.#bytes.length / this.#pageSize);
  }

  /** Pages in no use, as far as their list can be followed. */
  freePages(): Set<number> {
    const free = new Set<number>();
    if (this.#bytes.length < HEADER_BYTES) return free;
    let trunk = this.#view.getUint32(32);
    while (this.#isPage(trunk) && !free.has(trunk)) {
      free.add(trunk);
      const at = this.#offsetOf(trunk);
      const count = this.#view.getUint32(at + 4);
      if (count > this.#usable / 4 - 2) break;
      for (let i = 0; i < count; i++) free.add(this.#view.getUint32(at + 8 + 4 * i));
      trunk = this.#view.getUint32(at);
    }
    return free;
  }

  *rowsOf(page: number, columns: ReadonlySet<number>): Generator<PageRow> {
    const start = this.#offsetOf(page);
    // The first page begins with the header of the file.
    const header = page === 1 ? start + HEADER_BYTES : start;
    const type = this.#bytes[header];
    if (type !== TABLE_LEAF && type !== INDEX_LEAF && type !== INDEX_INTERIOR) return;
    const cells = this.#view.getUint16(header + 3);
    const pointers = header + (type === INDEX_INTERIOR ? 12 : 8);
    if (pointers - start + 2 * cells > this.#pageSize) return;
    for (let i = 0; i < cells; i++) {
      // Inside the tree, the number of the page below comes first.
      const offset = this.#view.getUint16(pointers + 2 * i) + (type === INDEX_INTERIOR ? 4 : 0);
      const row = this.#rowAt(start, offset, type === TABLE_LEAF, columns);
      if (row !== undefined) yield row;
    }
  }

  #rowAt(start: number, offset: number, isTable: boolean, columns: ReadonlySet<number>): PageRow | undefined {
    try {
      const reader = new Reader(this.#bytes, start + offset, start + this.#usable);
      const length = reader.varint();
      const rowid = isTable ? reader.varint() : 0;
      const payload = this.#payload(reader, length, isTable);
      const values = recordOf(payload, columns);
      return values === undefined ? undefined : { kind: isTable ? "table" : "index", rowid, values };
    } catch (error) {
      // This cell is damaged; the next one may not be.
      if (error instanceof DamagedError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The bytes of a cell, with what did not fit on the page. */
  #payload(reader: Reader, length: number, isTable: boolean): Uint8Array {
    const usable = this.#usable;
    if (length > this.#bytes.length) throw new DamagedError();
    const most = isTable ? usable - 35 : Math.floor((usable - 12) * 64 / 255) - 23;
    if (length <= most) return reader.bytes(length);
    const least = Math.floor((usable - 12) * 32 / 255) - 23;
    const fitting = least + (length - least) % (usable - 4);
    const local = fitting <= most ? fitting : least;
    const payload = new Uint8Array(length);
    payload.set(reader.bytes(local));
    let filled = local;
    let next = reader.uint32();
    while (filled < length) {
      if (!this.#isPage(next)) throw new DamagedError();
      const at = this.#offsetOf(next);
      const count = Math.min(usable - 4, length - filled);
      payload.set(this.#bytes.subarray(at + 4, at + 4 + count), filled);
      filled += count;
      next = this.#view.getUint32(at);
    }
    return payload;
  }

  #isPage(page: number): boolean {
    return page >= 1 && page <= this.pageCount;
  }

  #offsetOf(page: number): number {
    return (page - 1) * this.#pageSize;
  }
}

/** The values of a record; undefined when it has another number of them, or none that make sense. */
function recordOf(payload: Uint8Array, columns: ReadonlySet<number>): SqlValue[] | undefined {
  const reader = new Reader(payload, 0, payload.length);
  const headerEnd = reader.varint();
  if (headerEnd > payload.length) return undefined;
  const types: number[] = [];
  while (reader.at < headerEnd) types.push(reader.varint());
  if (reader.at !== headerEnd || !columns.has(types.length)) return undefined;
  const values = types.map((type) => valueOf(reader, type));
  return reader.at === payload.length ? values : undefined;
}

function valueOf(reader: Reader, type: number): SqlValue {
  switch (type) {
    case 0:
      return null;
    case 1:
    case 2:
    case 3:
    case 4:
      return reader.integer(type);
    case 5:
      return reader.integer(6);
    case 6:
      return reader.integer(8);
    case 7:
      return reader.float();
    case 8:
      return 0;
    case 9:
      return 1;
    case 10:
    case 11:
      throw new DamagedError();
    default: {
      const bytes = reader.bytes(Math.floor((type - 12) / 2));
      return type % 2 === 0 ? bytes.slice() : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    }
  }
}

class DamagedError extends RangeError {}

/** Numbers and bytes, one after the other, up to an end. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = Math.min(end, bytes.length);
  }

  bytes(length: number): Uint8Array {
    if (length < 0 || this.at + length > this.#end) throw new DamagedError();
    return this.#bytes.subarray(this.at, this.at += length);
  }

  uint32(): number {
    return this.integer(4) >>> 0;
  }

  /** Signed, the highest byte first. */
  integer(length: number): number {
    const bytes = this.bytes(length);
    let value = (bytes[0] ?? 0) << 24 >> 24;
    for (const byte of bytes.subarray(1)) value = value * 256 + byte;
    return value;
  }

  float(): number {
    const bytes = this.bytes(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
  }

  /** Seven bits to a byte, the highest first; the ninth byte has eight. */
  varint(): number {
    let value = 0;
    for (let i = 0; i < 9; i++) {
      const byte = this.bytes(1)[0] ?? 0;
      if (i === 8) return value * 256 + byte;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value;
  }
}
