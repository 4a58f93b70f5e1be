/**
 * Empty files for the output of jobs to come, made of those that earlier jobs
 * did not need. Most jobs print little or nothing, and making and removing two
 * files for each was a seventh of what a short job costs: ext4 looks at every
 * file that was removed within the last seconds before it makes a new one.
 *
 * What must stay true: no other process has such a file open, or its bytes
 * would be taken for those of another job. The kernel says so: it grants a write
 * lease only on a file that nobody else has open. Readers of output, which open
 * a file by its name, look afterwards whether it still has that name. And it is
 * as a new one would be: a job can link its output to another name (as backups
 * do with everything), or open it to others by `chmod 666 /dev/stdout`.
 *
 * Linux with glibc, on local filesystems; elsewhere files are made and removed.
 * @module
 */

const SYMBOLS = {
  // Takes a third argument only to make files, and these are there.
  open: { parameters: ["buffer", "i32"], result: "i32" },
  // Its arguments vary, but Linux passes a whole number the same way on both machines that we run on.
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  ftruncate: { parameters: ["i32", "i64"], result: "i32" },
  rename: { parameters: ["buffer", "buffer"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** O_RDWR | O_NOFOLLOW | O_CLOEXEC; the second differs between machines. */
const OPEN_FLAGS = 0o2 | 0o2000000 | (Deno.build.arch === "aarch64" ? 0o100000 : 0o400000);
const F_SETSIG = 10;
const F_SETLEASE = 1_024;
const F_WRLCK = 1;
const OWNER_ONLY = 0o600;
/** Told to the holder of a lease when somebody opens the file; this one is ignored, unlike the usual SIGIO. */
const SIGURG = 23;

const encoder = new TextEncoder();

export interface SpareFiles {
  /** Gives a spare file this name, if there is one; else the file is to be made by whoever opens it. */
  use(path: string): void;
  /** Takes a file whose content nobody needs. It no longer has its name afterwards. */
  put(path: string): void;
  /** Removes those that are left. */
  close(): void;
}

/** `base`: what the names of spare files begin with; in the same filesystem as the others. */
export function openSpareFiles(base: string): SpareFiles {
  const library = load();
  return library === undefined ? NONE : new LeasedSpareFiles(base, library);
}

/** Removes what a process that died left behind. */
export function removeSpareFiles(base: string): void {
  for (let i = 0; removed(sparePath(base, i)); i++);
}

class LeasedSpareFiles implements SpareFiles {
  readonly #base: string;
  readonly #library: Deno.DynamicLibrary<typeof SYMBOLS>;
  /** They are numbered from 0 on, without gaps: that is how they are found after a crash. */
  #count = 0;

  constructor(base: string, library: Deno.DynamicLibrary<typeof SYMBOLS>) {
    this.#base = base;
    this.#library = library;
  }

  use(path: string): void {
    if (this.#count === 0) return;
    try {
      Deno.renameSync(sparePath(this.#base, --this.#count), path);
    } catch {
      // Somebody cleaned up here, or the folder is gone: whoever opens the file makes it, or tells why not.
    }
  }

  put(path: string): void {
    if (this.#keep(path)) this.#count++;
    else removed(path);
  }

  close(): void {
    while (this.#count > 0) removed(sparePath(this.#base, --this.#count));
    this.#library.close();
  }

  #keep(path: string): boolean {
    const { symbols } = this.#library;
    const name = encoder.encode(`${path}\0`);
    const file = symbols.open(name, OPEN_FLAGS);
    if (file < 0) return false;
    try {
      return symbols.fcntl(file, F_SETSIG, SIGURG) === 0 && symbols.fcntl(file, F_SETLEASE, F_WRLCK) === 0 &&
        isAsNew(path) && symbols.ftruncate(file, 0n) === 0 &&
        symbols.rename(name, encoder.encode(`${sparePath(this.#base, this.#count)}\0`)) === 0;
    } finally {
      // With it goes the lease.
      symbols.close(file);
    }
  }
}

/** Ours alone: under no other name, of no other owner, and open to nobody else. */
function isAsNew(path: string): boolean {
  try {
    const { nlink, uid, mode } = Deno.lstatSync(path);
    return nlink === 1 && uid === Deno.uid() && mode !== null && (mode & 0o7777) === OWNER_ONLY;
  } catch {
    return false; // gone meanwhile
  }
}

const NONE: SpareFiles = { use() {}, put: removed, close() {} };

function sparePath(base: string, index: number): string {
  return `${base}.spare-${index}`;
}

/** False when there is none, or it cannot be removed. */
function removed(path: string): boolean {
  try {
    Deno.removeSync(path);
    return true;
  } catch {
    // Pruning will get it: not worth failing a job.
    return false;
  }
}

function load(): Deno.DynamicLibrary<typeof SYMBOLS> | undefined {
  if (Deno.build.os !== "linux" || !["x86_64", "aarch64"].includes(Deno.build.arch)) return undefined;
  try {
    return Deno.dlopen("libc.so.6", SYMBOLS);
  } catch {
    // No glibc.
    return undefined;
  }
}
