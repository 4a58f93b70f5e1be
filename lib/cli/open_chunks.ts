/**
 * A file, or standard input (`-`), as a stream of bytes of any length.
 * @module
 */
import { quoted, UsageError } from "../core/errors.ts";

/** @throws {UsageError} when it cannot be opened; reading may throw it too. */
export async function openChunks(path: string): Promise<AsyncIterable<Uint8Array>> {
  const name = path === "-" ? "standard input" : quoted(path);
  try {
    const file = path === "-" ? Deno.stdin : await Deno.open(path);
    if (path !== "-" && (await (file as Deno.FsFile).stat()).isDirectory) throw new Error("it is a directory");
    return telling(file.readable, name);
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function* telling(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, cause: unknown): UsageError {
  const reason = cause instanceof Deno.errors.NotFound ? "no such file" : (cause as Error).message;
  return new UsageError(`Cannot read ${name}: ${reason}`, { cause });
}
