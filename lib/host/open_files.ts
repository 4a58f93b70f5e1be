/**
 * Keeps the files that this process was given from what it starts. A shell
 * hands all that it has open to its commands: the lock of `flock 9`, the pipe
 * that a test waits for the end of. A process that stays for good would hold
 * them for good.
 *
 * Linux with glibc; elsewhere nothing happens.
 * @module
 */

const SYMBOLS = {
  // Its arguments vary, but Linux passes a whole number the same way on both machines that we run on.
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const F_SETFD = 2;
const FD_CLOEXEC = 1;
/** Input, output and errors are given to each process on purpose. */
const FIRST = 3;

export function keepFilesFromChildren(): void {
  if (Deno.build.os !== "linux") return;
  try {
    const library = Deno.dlopen("libc.so.6", SYMBOLS);
    for (const { name } of Deno.readDirSync("/proc/self/fd")) {
      const file = Number(name);
      if (file >= FIRST) library.symbols.fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    library.close();
  } catch {
    // Another C library, or no /proc: they are handed on, as they always were.
  }
}
