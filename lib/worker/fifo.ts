/**
 * A named pipe, for its owner only, of which we hold both ends: it never comes
 * to an end by itself, and reading it never waits. A name lets a process open
 * it like a file, which is all that our ways of starting one can do.
 *
 * By calls of the C library, because the runtime gives each read of a pipe a
 * thread that waits, and has 32 of these: sixteen jobs would use them up.
 * @module
 */

const SYMBOLS = {
  mkfifo: { parameters: ["buffer", "u32"], result: "i32" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const IS_DARWIN = Deno.build.os === "darwin";
const LIBRARY = IS_DARWIN ? "libSystem.dylib" : "libc.so.6";
/** O_RDWR | O_NONBLOCK | O_CLOEXEC: a job must not inherit the pipe of another. */
const OPEN_FLAGS = IS_DARWIN ? 0x2 | 0x4 | 0x1000000 : 0o2 | 0o4000 | 0o2000000;
const OWNER_ONLY = 0o600;
const F_SETPIPE_SZ = 1031;
/** The most that it holds: as much as a user may ask for. It lets a process that prints much go on while we do something else. */
export const PIPE_BYTES = 1024 * 1024;

export class Fifo {
  readonly #library: Deno.DynamicLibrary<typeof SYMBOLS>;
  readonly #fd: number;

  /** @throws when the filesystem has no named pipes, or is full. */
  constructor(path: string) {
    this.#library = Deno.dlopen(LIBRARY, SYMBOLS);
    const { symbols } = this.#library;
    const name = new TextEncoder().encode(`${path}\0`);
    this.#fd = symbols.mkfifo(name, OWNER_ONLY) === 0 ? symbols.open(name, OPEN_FLAGS) : -1;
    if (this.#fd < 0) {
      this.#library.close();
      throw new Error(`cannot make the pipe ${path}`);
    }
    // Where this is refused, it is as large as pipes usually are.
    if (!IS_DARWIN) symbols.fcntl(this.#fd, F_SETPIPE_SZ, PIPE_BYTES);
  }

  /** How many bytes were there to read; 0 when none. */
  read(buffer: Uint8Array<ArrayBuffer>): number {
    return Math.max(0, Number(this.#library.symbols.read(this.#fd, buffer, BigInt(buffer.length))));
  }

  /** Writes a few bytes, all or none. False when the pipe is full. */
  write(bytes: Uint8Array<ArrayBuffer>): boolean {
    return Number(this.#library.symbols.write(this.#fd, bytes, BigInt(bytes.length))) === bytes.length;
  }

  close(): void {
    this.#library.symbols.close(this.#fd);
    this.#library.close();
  }
}
