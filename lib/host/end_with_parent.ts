/**
 * Lets this process be killed when the one that started it dies, whatever this
 * one is doing then. Linux with glibc; elsewhere nothing happens.
 * @module
 */

const SYMBOLS = {
  // Its arguments vary, but Linux passes whole numbers the same way on both machines that we run on.
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9n;

export function endWithParent(): void {
  if (Deno.build.os !== "linux") return;
  try {
    const library = Deno.dlopen("libc.so.6", SYMBOLS);
    library.symbols.prctl(PR_SET_PDEATHSIG, SIGKILL, 0n, 0n, 0n);
    library.close();
  } catch {
    // Another C library: it ends with its input.
  }
}
