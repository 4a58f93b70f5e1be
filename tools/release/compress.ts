/**
 * The smaller forms of a released program. The same bytes come out each time.
 *
 * Measured on 98.5 MB: zstd at 19 gives 28.1 MB, at 22 27.6 MB, but then
 * unpacking takes 128 MB of memory; gzip gives 37.5 MB.
 * @module
 */
import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { constants, gunzip, zstdCompress, zstdDecompress } from "node:zlib";

const ZSTD_LEVEL = 19;
const GZIP_LEVEL = 9;
/** For tests. */
const QUICK_LEVEL = 1;

/** @throws when what was written does not unpack to `file`. */
export async function writeCompressed(file: string, isQuick: boolean): Promise<void> {
  const bytes = await Deno.readFile(file);
  const [zst, gz] = await Promise.all([zstd(bytes, isQuick), gzip(file, isQuick)]);
  await Promise.all([
    writeChecked(`${file}.zst`, zst, bytes, promisify(zstdDecompress)),
    writeChecked(`${file}.gz`, gz, bytes, promisify(gunzip)),
  ]);
}

async function zstd(bytes: Uint8Array, isQuick: boolean): Promise<Uint8Array> {
  const params = {
    [constants.ZSTD_c_compressionLevel]: isQuick ? QUICK_LEVEL : ZSTD_LEVEL,
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  return await promisify(zstdCompress)(bytes, { params });
}

/** By the program: what Deno has built in gives other bytes on other processors. Without name and time. */
async function gzip(file: string, isQuick: boolean): Promise<Uint8Array> {
  const { success, stdout } = await new Deno.Command("gzip", {
    args: ["-n", `-${isQuick ? QUICK_LEVEL : GZIP_LEVEL}`, "-c", file],
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`gzip failed on ${file}`);
  return stdout;
}

async function writeChecked(
  path: string,
  compressed: Uint8Array,
  content: Uint8Array,
  unpack: (compressed: Uint8Array) => Promise<Uint8Array>,
): Promise<void> {
  if (Buffer.compare(await unpack(compressed), content) !== 0) {
    throw new Error(`${path} does not unpack to the program`);
  }
  await Deno.writeFile(path, compressed);
}
