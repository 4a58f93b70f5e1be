/**
 * Starts a process in its own session with its streams on files, with nothing
 * but `Deno.Command`: a shell opens the files and becomes the program. For
 * systems where `posix_spawn.ts` does not work.
 * @module
 */
import type { Child, ExitStatus, Launch, Spawner } from "./child_process.ts";

/** $1 to $4: the files, none of which may be a link, and our umask; the rest is the program. */
const OPEN_AND_BECOME =
  '! [ -h "$1" ] && ! [ -h "$2" ] && ! [ -h "$3" ] || exit 126; umask 077; exec <"$1" >>"$2" 2>>"$3"; umask "$4"; shift 4; exec "$@"';

export function portableSpawner(): Spawner {
  const umask = Deno.umask().toString(8).padStart(3, "0");
  return {
    opensFirst: false,
    // deno-lint-ignore require-await -- so that a failure to start is a rejection
    async spawn(launch: Launch): Promise<Child> {
      const [, ...args] = launch.argv;
      const { stdin, stdout, stderr } = launch;
      const command = new Deno.Command("/bin/sh", {
        args: ["-c", OPEN_AND_BECOME, "sh", stdin, stdout, stderr, umask, launch.program, ...args],
        clearEnv: true,
        env: Object.fromEntries(launch.env.map((entry) => splitOnce(entry))),
        ...(launch.cwd === null ? {} : { cwd: launch.cwd }),
        stdin: "null",
        stdout: "null",
        stderr: "null",
        detached: true,
      });
      const child = command.spawn();
      const exited = child.status.then(({ code, signal }): ExitStatus => ({ code, signal }));
      return { pid: child.pid, exited };
    },
    close() {},
  };
}

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf("=");
  return [entry.slice(0, at), entry.slice(at + 1)];
}
