/**
 * A release on a server of its own, and machines without anything to install it on.
 * @module
 */
import { join, resolve } from "node:path";
import { findProcesses, killProcesses, type Leftover } from "../../tools/test/leftovers.ts";

export const ROOT = resolve(import.meta.dirname!, "..", "..");

/** A user that owns nothing here and is in no list of users, so that HOME decides where things are. */
const USER = 4242;
const IS_ROOT = Deno.uid() === 0;

/** For a machine that is busy with other tests; an installation that takes this long hangs. */
const GIVE_UP_MS = 200_000;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Machine extends AsyncDisposable {
  /** Made for this machine; the user may write to it. */
  readonly directory: string;
  readonly home: string;
  /** Runs a command as a plain user, with an empty environment but for HOME, PATH and `env`. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same as whoever runs the tests. */
  runAsSelf(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Paths of all files below the home, sorted. */
  filesInHome(): string[];
  /** A folder with links to these programs, for PATH. */
  folderOf(programs: readonly string[]): Promise<string>;
  /** A folder for PATH with a script of this name. */
  stub(name: string, script: string): Promise<string>;
  /** Processes that come from this machine. */
  processes(): readonly Leftover[];
}

export const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Marks every process of one machine. */
const MARKER = "QUEUECTL_TEST_SANDBOX";

export async function machine(): Promise<Machine> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "machine-" }));
  const home = join(directory, "home");
  await Deno.mkdir(home);
  for (const folder of [directory, home]) await belongsToUser(folder);
  const owner = { marker: `${MARKER}=${directory}`, directory };
  const inherited = Object.fromEntries(
    ["TMPDIR", "QUEUECTL_TEST_RUN"].flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  let stubs = 0;
  const runAsSelf = async (command: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const [program, ...args] = command;
    const { code, stdout, stderr } = await new Deno.Command(program!, {
      args,
      cwd: home,
      clearEnv: true,
      // A user with an entry in /etc/passwd has a real home, which is none of our business.
      env: {
        ...inherited,
        HOME: home,
        PATH,
        ...(IS_ROOT ? {} : { XDG_DATA_HOME: join(home, ".local/share") }),
        [MARKER]: directory,
        ...env,
      },
      stdin: "null",
      signal: AbortSignal.timeout(GIVE_UP_MS),
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  };
  const newFolder = async () => {
    const folder = join(directory, `path-${++stubs}`);
    await Deno.mkdir(folder);
    await Deno.chmod(folder, 0o755);
    return folder;
  };
  return {
    directory,
    home,
    runAsSelf,
    run: (command, env) => runAsSelf(IS_ROOT ? asUser(command) : command, env),
    filesInHome: () => filesBelow(home).map((path) => path.slice(home.length + 1)).sort(),
    async folderOf(programs) {
      const folder = await newFolder();
      for (const program of programs) await Deno.symlink(findProgram(program), join(folder, program));
      return folder;
    },
    async stub(name, script) {
      const folder = await newFolder();
      await Deno.writeTextFile(join(folder, name), `#!/bin/sh\n${script}\n`);
      await Deno.chmod(join(folder, name), 0o755);
      return folder;
    },
    processes: () => findProcesses(owner),
    async [Symbol.asyncDispose]() {
      await killProcesses(owner);
      await Deno.remove(directory, { recursive: true });
    },
  };
}

function asUser(command: readonly string[]): string[] {
  const ids = ["--reuid", String(USER), "--regid", String(USER), "--clear-groups"];
  return [findProgram("setpriv"), ...ids, ...command];
}

async function belongsToUser(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o755);
  if (IS_ROOT) await Deno.chown(folder, USER, USER);
}

function findProgram(name: string): string {
  for (const folder of [...PATH.split(":"), "/usr/sbin", "/sbin"]) {
    try {
      if (Deno.statSync(join(folder, name)).isFile) return join(folder, name);
    } catch {
      // not in this one
    }
  }
  throw new Error(`The test needs the program ${name}`);
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)) : [join(folder, name)]
  );
}

/** Makes a release of the compiled binary, in little time, and gives its folder. */
export async function makeRelease(output: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/release.ts", "--quick", "--binary", binaryUnderTest(), "--output", output],
    cwd: ROOT,
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

export function binaryUnderTest(): string {
  const path = Deno.env.get("QUEUECTL_BIN");
  if (path === undefined) throw new Error("QUEUECTL_BIN must name the compiled binary: use tools/deno task test");
  return Deno.realPathSync(path);
}

export interface Server extends AsyncDisposable {
  readonly base: string;
  /** Names of the files that were asked for. */
  readonly requests: string[];
}

export interface ServerOptions {
  /** Changes what is sent for a file. */
  readonly change?: (name: string, bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
  /** Ends the connection after so many bytes of a program. */
  readonly breakAfter?: number;
}

/** Serves a folder as any web server of files does. */
export function serve(folder: string, { change = (_, bytes) => bytes, breakAfter }: ServerOptions = {}): Server {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const name = pathname.slice(pathname.lastIndexOf("/") + 1);
    requests.push(name);
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = change(name, await Deno.readFile(join(folder, pathname)));
    } catch {
      return new Response("not found", { status: 404 });
    }
    const headers = { "content-type": "application/octet-stream", "content-length": String(bytes.length) };
    if (breakAfter === undefined || !name.startsWith("queuectl-")) return new Response(bytes, { headers });
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes.subarray(0, breakAfter)),
      pull: (controller) => controller.error(new Error("broken off")),
    });
    return new Response(body, { headers });
  });
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The command line of the documents: `curl -fsSL BASE/install.sh | sh -s -- ARGS`. */
export function piped(base: string, shell: readonly string[], args: readonly string[] = []): string[] {
  return ["/bin/sh", "-c", `base=$1; shift; curl -fsSL "$base/install.sh" | "$@"`, "sh", base, ...shell].concat(
    args.length > 0 ? ["-s", "--", ...args] : [],
  );
}
