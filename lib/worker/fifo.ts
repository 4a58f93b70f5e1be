/**
 * Makes a named pipe, for its owner only. A name lets a process open it like a
 * file, which is all that our ways of starting one can do.
 * @module
 */

const OWNER_ONLY = 0o600;

/** @throws when the filesystem has no named pipes, or is full. */
export function makeFifo(path: string): void {
  const encoded = new TextEncoder().encode(`${path}\0`);
  let library;
  try {
    library = Deno.dlopen(Deno.build.os === "darwin" ? "libSystem.dylib" : "libc.so.6", {
      mkfifo: { parameters: ["buffer", "u32"], result: "i32" },
    });
  } catch {
    // No C library of that name: the program does the same, in a millisecond instead of a tenth.
    const { success } = new Deno.Command("mkfifo", { args: ["-m", "600", path], stderr: "null" }).outputSync();
    if (!success) throw new Error(`cannot make the pipe ${path}`);
    return;
  }
  const result = library.symbols.mkfifo(encoded, OWNER_ONLY);
  library.close();
  if (result !== 0) throw new Error(`cannot make the pipe ${path}`);
}
