/**
 * The smaller forms of a released program. The same bytes come out each time.
 *
 * Measured on 98.5 MB: zstd at 19 gives 28.1 MB, at 22 27.6 MB, but then
 * unpacking takes 128 MB of memory; gzip gives 37.5 MB.
 * @module
 */
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";

const ZSTD_LEVEL = 19;
const GZIP_LEVEL = 9;
/** For tests. */
const QUICK_LEVEL = 1;

export async function writeCompressed(file: string, isQuick: boolean): Promise<void> {
  await Promise.all([writeGzip(file, isQuick), writeZstd(file, isQuick)]);
}

async function writeZstd(file: string, isQuick: boolean): Promise<void> {
  const level = isQuick ? QUICK_LEVEL : ZSTD_LEVEL;
  const bytes = await Deno.readFile(file);
  const compressed = await promisify(zstdCompress)(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  await Deno.writeFile(`${file}.zst`, compressed);
}

/** By the program: what Deno has built in gives other bytes on other processors. Without name and time. */
async function writeGzip(file: string, isQuick: boolean): Promise<void> {
  using output = await Deno.open(`${file}.gz`, { create: true, write: true, truncate: true });
  const child = new Deno.Command("gzip", {
    args: ["-n", `-${isQuick ? QUICK_LEVEL : GZIP_LEVEL}`, "-c", file],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  await child.stdout.pipeTo(output.writable, { preventClose: true });
  if (!(await child.status).success) throw new Error(`gzip failed on ${file}`);
}
