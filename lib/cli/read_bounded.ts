/**
 * Reads a file, or standard input (`-`), as text: not more than a limit, and
 * only valid UTF-8, because what is stored must be what was written.
 * @module
 */
import { quotedPath, UsageError } from "../core/errors.ts";

export async function readBounded(path: string, maxBytes: number): Promise<string> {
  const name = path === "-" ? "standard input" : quotedPath(path);
  let file: { readable: ReadableStream<Uint8Array> };
  try {
    file = path === "-" ? Deno.stdin : await Deno.open(path);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound ? "no such file" : (error as Error).message;
    throw new UsageError(`Cannot read ${name}: ${reason}`, { cause: error });
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of file.readable) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
    text += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) {
      throw new UsageError(`Cannot read ${name}: it is not valid UTF-8`, { cause: error });
    }
    throw new UsageError(`Cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
  if (bytes > maxBytes) throw new UsageError(`Cannot read ${name}: it is larger than ${maxBytes / 1024 / 1024} MiB`);
  return text;
}
