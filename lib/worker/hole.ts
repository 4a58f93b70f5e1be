/**
 * Gives the space of a part of a file back to the system, while a process
 * appends to it: positions stay as they are, and the part reads as zeros.
 *
 * Linux with glibc, on most local filesystems (ext4, xfs, btrfs, tmpfs, zfs).
 * @module
 */

const SYMBOLS = {
  // `open` takes a variable number of arguments, which foreign calls must not rely on.
  fopen: { parameters: ["buffer", "buffer"], result: "pointer" },
  fileno: { parameters: ["pointer"], result: "i32" },
  fclose: { parameters: ["pointer"], result: "i32" },
  fallocate: { parameters: ["i32", "i32", "i64", "i64"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE */
const PUNCH = 0x01 | 0x02;

/** False where this cannot be done. */
export function punchHole(path: string, start: number, length: number): boolean {
  // Opened for each call: few outputs go over their limit, and those not often.
  const library = load();
  if (library === null) return false;
  const { symbols } = library;
  try {
    const encoder = new TextEncoder();
    const file = symbols.fopen(encoder.encode(`${path}\0`), encoder.encode("r+\0"));
    if (file === null) return false;
    const result = symbols.fallocate(symbols.fileno(file), PUNCH, BigInt(start), BigInt(length));
    symbols.fclose(file);
    return result === 0;
  } finally {
    library.close();
  }
}

function load(): Deno.DynamicLibrary<typeof SYMBOLS> | null {
  if (Deno.build.os !== "linux" || !["x86_64", "aarch64"].includes(Deno.build.arch)) return null;
  try {
    return Deno.dlopen("libc.so.6", SYMBOLS);
  } catch {
    // No glibc: the caller has another way.
    return null;
  }
}
