/**
 * A folder and the processes of one comparison. Closing the box ends all of
 * them and removes the folder, also when a signal interrupts the run.
 * @module
 */
import { join } from "node:path";
import { processesWith } from "./processes.ts";

/** How long a server may take to end before it is killed. */
const END_MS = 10_000;
/** How long a server may take to begin, on a slow machine. */
const BEGIN_MS = 60_000;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
}

export interface Started {
  readonly pid: number;
  /** Resolves with the next line of standard output; throws when there is none. */
  line(): Promise<string>;
  /** Sends the signal (default: TERM), and waits for the end. */
  end(signal?: Deno.Signal): Promise<void>;
}

export class Box {
  /** On a disk, the same for all tools. Its path is short: the sockets in it may have 107 characters. */
  readonly folder: string;
  readonly #closers: (() => Promise<void>)[] = [];
  #made = 0;
  #closing: Promise<void> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Box> {
    // /tmp may be memory, /var/tmp is a disk by convention.
    const parent = Deno.env.get("TMPDIR") ?? "/var/tmp";
    const folder = await Deno.realPath(await Deno.makeTempDir({ dir: parent, prefix: "compare-" }));
    // PostgreSQL runs as another user when this runs as root; it needs a way to its own folder.
    await Deno.chmod(folder, 0o711);
    return new Box(folder);
  }

  /** A path that nothing else uses. */
  path(name: string): string {
    return join(this.folder, `${name}${++this.#made}`);
  }

  async newFolder(name: string): Promise<string> {
    const path = this.path(name);
    await Deno.mkdir(path);
    return path;
  }

  /** Runs a program that has to succeed. Returns the milliseconds it took. */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<number> {
    const start = performance.now();
    const child = this.#spawn(argv, options, "null");
    // Read meanwhile: a program that has much to say must not wait for a reader.
    const said = new Response(child.stderr).text();
    const { success, code } = await child.status;
    const took = performance.now() - start;
    const stderr = (await said).trim();
    if (!success) throw new Error(`\`${argv.join(" ")}\` ended with code ${code}: ${stderr.slice(-500)}`);
    return took;
  }

  /** The standard output of a program that has to succeed. */
  async output(argv: readonly string[], options: RunOptions = {}): Promise<string> {
    const child = this.#spawn(argv, options, "piped");
    const said = new Response(child.stderr).text();
    const [text, { success, code }] = await Promise.all([new Response(child.stdout).text(), child.status]);
    if (!success) {
      throw new Error(`\`${argv.join(" ")}\` ended with code ${code}: ${(await said).trim().slice(-500)}`);
    }
    await said;
    return text;
  }

  /** Starts a program that runs until it is ended. */
  start(argv: readonly string[], options: RunOptions = {}): Started {
    const child = this.#spawn(argv, options, "piped");
    const said = new Response(child.stderr).text().catch(() => "");
    const lines = linesOf(child.stdout);
    return {
      pid: child.pid,
      async line() {
        const { value, done } = await lines.next();
        if (done) throw new Error(`\`${argv.join(" ")}\` ended: ${(await said).trim().slice(-500)}`);
        return value;
      },
      async end(signal = "SIGTERM") {
        await endOf(child, signal);
        await lines.return(undefined);
        await said;
      },
    };
  }

  /** Called when the box closes, the last one first, before all other processes are ended. */
  atEnd(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** May be called twice. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  /** Nothing can be started any more. */
  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  async #close(): Promise<void> {
    for (const close of this.#closers.reverse()) {
      try {
        await close();
      } catch (error) {
        // The other things have to end as well.
        console.error(`compare: ${error instanceof Error ? error.message : error}`);
      }
    }
    await this.#endAll();
    await Deno.remove(this.folder, { recursive: true });
  }

  /** Ends all processes with this HOME: some have detached themselves, and a shell may start more meanwhile. */
  async #endAll(): Promise<void> {
    const patienceEnds = performance.now() + END_MS;
    for (let left = this.#left(); left.length > 0; left = this.#left()) {
      const signal = performance.now() < patienceEnds ? "SIGTERM" : "SIGKILL";
      for (const pid of left) {
        try {
          Deno.kill(pid, signal);
        } catch (error) {
          if (!(error instanceof Deno.errors.NotFound)) throw error;
        }
      }
      await sleep(100);
    }
  }

  #left(): number[] {
    return processesWith("HOME", this.folder);
  }

  #spawn(argv: readonly string[], { env = {} }: RunOptions, stdout: "null" | "piped"): Deno.ChildProcess {
    if (this.isClosing) throw new Error("The run was interrupted");
    const [program, ...args] = argv;
    return new Deno.Command(program!, {
      args,
      clearEnv: true,
      // Nothing of the caller's settings may leak into what is measured.
      env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", HOME: this.folder, TMPDIR: this.folder, ...env },
      cwd: this.folder,
      stdin: "null",
      stdout,
      stderr: "piped",
    }).spawn();
  }
}

/** Waits until the condition holds. */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + BEGIN_MS;
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`Waited too long until ${what}`);
    await sleep(20);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  return undefined;
}

async function endOf(child: Deno.ChildProcess, signal: Deno.Signal): Promise<void> {
  send(child, signal);
  const killing = setTimeout(() => send(child, "SIGKILL"), END_MS);
  await child.status;
  clearTimeout(killing);
}

function send(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch (error) {
    // It has ended already.
    if (!(error instanceof TypeError)) throw error;
  }
}
