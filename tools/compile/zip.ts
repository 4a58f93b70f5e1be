/** Reads an archive with one file in it, as Deno's releases are. @module */
import { inflateRawSync } from "node:zlib";

/** Signatures and offsets are from PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16. */
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/** @throws for anything but one file, stored or deflated */
export function onlyFileOf(archive: Uint8Array<ArrayBuffer>): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.length - END_BYTES;
  if (end < 0 || view.getUint32(end, true) !== END_SIGNATURE || view.getUint16(end + 10, true) !== 1) {
    throw new Error("the archive is no zip of one file");
  }
  const entry = view.getUint32(end + 16, true);
  if (view.getUint32(entry, true) !== ENTRY_SIGNATURE) throw new Error("the archive has no directory");
  const [method, size] = [view.getUint16(entry + 10, true), view.getUint32(entry + 20, true)];
  const local = view.getUint32(entry + 42, true);
  if (view.getUint32(local, true) !== LOCAL_SIGNATURE) throw new Error("the archive has no file");
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const content = archive.subarray(start, start + size);
  if (method === STORED) return content;
  if (method === DEFLATED) return inflateRawSync(content);
  throw new Error(`the archive is packed by method ${method}`);
}
