/**
 * Starts a process in its own session with its streams on files, by
 * `posix_spawn` of the C library.
 *
 * Why not `Deno.Command`: its `detached` needs a real fork, whose cost grows
 * with the memory of the worker (half the rate at 62 MB, a tenth at 460 MB), and
 * it cannot put streams on files, so that a shell would have to. Here the child
 * shares our memory until it runs its program, and opens the files itself.
 *
 * Linux with glibc on 64 bit machines only; elsewhere `portable_spawn.ts`.
 * @module
 */
import { signalName } from "../core/run_result.ts";
import type { Child, ExitStatus, Launch, Spawner } from "./child_process.ts";

const SPAWN_PARAMETERS = ["buffer", "buffer", "buffer", "buffer", "buffer", "buffer"] as const;

const SYMBOLS = {
  posix_spawn: { parameters: SPAWN_PARAMETERS, result: "i32" },
  posix_spawn_aside: { name: "posix_spawn", parameters: SPAWN_PARAMETERS, result: "i32", nonblocking: true },
  posix_spawn_file_actions_init: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_destroy: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_addopen: { parameters: ["buffer", "i32", "buffer", "i32", "u32"], result: "i32" },
  posix_spawn_file_actions_addchdir_np: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_init: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_setflags: { parameters: ["buffer", "i16"], result: "i32" },
  posix_spawnattr_setsigdefault: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_setsigmask: { parameters: ["buffer", "buffer"], result: "i32" },
  waitpid: { parameters: ["i32", "buffer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** glibc: at most 80 and 336 bytes; room to spare. */
const FILE_ACTIONS_BYTES = 256;
const ATTRIBUTES_BYTES = 512;
const SIGNAL_SET_BYTES = 128;

/** SETSIGDEF | SETSIGMASK | SETSID: our own ignored SIGPIPE must not become the job's. */
const SPAWN_FLAGS = 0x04 | 0x08 | 0x80;
/** Differs between machines. */
const O_NOFOLLOW = Deno.build.arch === "aarch64" ? 0o100000 : 0o400000;
/** O_RDONLY */
const O_INPUT = 0 | O_NOFOLLOW;
/** O_WRONLY | O_CREAT | O_APPEND */
const O_OUTPUT = 0o1 | 0o100 | 0o2000 | O_NOFOLLOW;
const OWNER_ONLY = 0o600;
const WNOHANG = 1;
const ENOENT = 2;
const EINTR = 4;
const ECHILD = 10;
const EAGAIN = 11;
const ENOMEM = 12;
const ENFILE = 23;
const EMFILE = 24;
const EXHAUSTED: ReadonlySet<number> = new Set([EAGAIN, ENOMEM, ENFILE, EMFILE]);

/** A SIGCHLD that was missed is made good for by looking every now and then. */
const REAP_INTERVAL_MS = 500;

const encoder = new TextEncoder();

/** The spawner of this machine, or undefined where it cannot be had. */
export function posixSpawner(): Spawner | undefined {
  if (Deno.build.os !== "linux" || !["x86_64", "aarch64"].includes(Deno.build.arch)) return undefined;
  try {
    return new PosixSpawner(Deno.dlopen("libc.so.6", SYMBOLS));
  } catch {
    // No glibc (musl), or an older one: the portable way does the same, slower.
    return undefined;
  }
}

class PosixSpawner implements Spawner {
  readonly opensFirst = true;
  readonly #lib: Deno.DynamicLibrary<typeof SYMBOLS>;
  readonly #attributes = new Uint8Array(ATTRIBUTES_BYTES);
  readonly #alive = new Map<number, (status: ExitStatus) => void>();
  /** Calls of posix_spawn under way. */
  #starting = 0;
  readonly #reap = () => this.#reapAll();
  /** Only while there is a child: an idle worker is to sleep. */
  #timer: number | undefined;

  constructor(lib: Deno.DynamicLibrary<typeof SYMBOLS>) {
    this.#lib = lib;
    const { symbols } = lib;
    symbols.posix_spawnattr_init(this.#attributes);
    symbols.posix_spawnattr_setflags(this.#attributes, SPAWN_FLAGS);
    symbols.posix_spawnattr_setsigdefault(this.#attributes, new Uint8Array(SIGNAL_SET_BYTES).fill(0xff));
    symbols.posix_spawnattr_setsigmask(this.#attributes, new Uint8Array(SIGNAL_SET_BYTES));
    Deno.addSignalListener("SIGCHLD", this.#reap);
  }

  async spawn(launch: Launch): Promise<Child> {
    const { symbols } = this.#lib;
    const actions = new Uint8Array(FILE_ACTIONS_BYTES);
    symbols.posix_spawn_file_actions_init(actions);
    // Who calls posix_spawn stands still until the child runs its program, a millisecond or two. With other jobs to care
    // for, that is done by another thread, and several start at once; without, changing over would only take time.
    const start = this.#starting++ > 0 || this.#alive.size > 0 ? symbols.posix_spawn_aside : symbols.posix_spawn;
    try {
      symbols.posix_spawn_file_actions_addopen(actions, 0, cString(launch.stdin), O_INPUT, 0);
      symbols.posix_spawn_file_actions_addopen(actions, 1, cString(launch.stdout), O_OUTPUT, OWNER_ONLY);
      symbols.posix_spawn_file_actions_addopen(actions, 2, cString(launch.stderr), O_OUTPUT, OWNER_ONLY);
      if (launch.cwd !== null) symbols.posix_spawn_file_actions_addchdir_np(actions, cString(launch.cwd));
      const pid = new Int32Array(1);
      const argv = pointerArray(launch.argv);
      const envp = pointerArray(launch.env);
      const program = cString(launch.program);
      const errno = await start(bytesOf(pid), program, actions, this.#attributes, argv.array, envp.array);
      // What the call reads must outlive it; to be read here keeps it from being collected before.
      const read = [program, argv.array, argv.strings, envp.array, envp.strings];
      if (errno !== 0 || read.some(({ length }) => length === 0)) throw new SpawnError(errno, launch.program);
      return this.#watch(pid[0] ?? 0);
    } finally {
      this.#starting--;
      symbols.posix_spawn_file_actions_destroy(actions);
    }
  }

  close(): void {
    Deno.removeSignalListener("SIGCHLD", this.#reap);
    clearInterval(this.#timer);
    this.#lib.close();
  }

  #watch(pid: number): Child {
    const exited = new Promise<ExitStatus>((resolve) => this.#alive.set(pid, resolve));
    this.#timer ??= setInterval(this.#reap, REAP_INTERVAL_MS);
    // It may have ended before we knew of it.
    this.#reapOne(pid);
    return { pid, exited };
  }

  /** Signals coalesce, so one SIGCHLD may stand for several children: ask for each of ours. */
  #reapAll(): void {
    for (const pid of this.#alive.keys()) this.#reapOne(pid);
    if (this.#alive.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #reapOne(pid: number): void {
    const status = new Int32Array(1);
    const result = this.#lib.symbols.waitpid(pid, bytesOf(status), WNOHANG);
    if (result === 0 || (result === -1 && this.#stillThere(pid))) return;
    const resolve = this.#alive.get(pid);
    this.#alive.delete(pid);
    resolve?.(result === pid ? statusOf(status[0] ?? 0) : { code: ECHILD, signal: null });
  }

  /** waitpid failed: interrupted (try again later), or the child is not ours any more. */
  #stillThere(pid: number): boolean {
    try {
      Deno.kill(pid, 0 as unknown as Deno.Signal);
      return true;
    } catch {
      return false;
    }
  }
}

/** The program could not be started; `errno` as the C library gave it. */
export class SpawnError extends Error {
  readonly isMissing: boolean;
  /** The host has no process, file or memory left. That says nothing of the program. */
  readonly isExhausted: boolean;
  /** In a word or two. */
  readonly why: string;

  constructor(readonly errno: number, program: string) {
    const why = ERRNO_WORDS[errno] ?? `error ${errno}`;
    super(`cannot start ${program}: ${why}`);
    this.isMissing = errno === ENOENT;
    this.isExhausted = EXHAUSTED.has(errno);
    this.why = why;
  }
}

const ERRNO_WORDS: Readonly<Record<number, string>> = {
  [ENOENT]: "not found",
  [EINTR]: "interrupted",
  7: "argument list too long",
  8: "not an executable format",
  [EAGAIN]: "too many processes",
  [ENOMEM]: "out of memory",
  13: "permission denied",
  20: "not a directory",
  [ENFILE]: "too many open files on this host",
  [EMFILE]: "too many open files",
  28: "the disk is full",
  30: "the filesystem is read-only",
  40: "a link has its name",
};

function statusOf(status: number): ExitStatus {
  const signal = status & 0x7f;
  if (signal === 0) return { code: (status >> 8) & 0xff, signal: null };
  return { code: 128 + signal, signal: signalName(signal) };
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text + "\0");
}

function bytesOf(numbers: Int32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(numbers.buffer);
}

/** A null-terminated array of pointers to C strings, and the block that holds the strings. */
function pointerArray(texts: readonly string[]): { array: BigUint64Array<ArrayBuffer>; strings: Uint8Array } {
  const strings = encoder.encode(texts.join("\0") + "\0");
  const base = Deno.UnsafePointer.value(Deno.UnsafePointer.of(strings));
  const array = new BigUint64Array(texts.length + 1);
  let offset = 0;
  for (let index = 0; index < texts.length; index++) {
    array[index] = BigInt(base) + BigInt(offset);
    offset = strings.indexOf(0, offset) + 1;
  }
  return { array, strings };
}
