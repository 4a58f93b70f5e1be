/**
 * One small shell that outlives the worker by a moment: it waits for the end of
 * a pipe, which comes when the worker dies, and then kills the process groups
 * that the worker had running, by the file in which they are noted.
 *
 * When the worker ends by itself no group is noted any more, and the guardian
 * just ends. It is not told of each job: a message and its reading, byte by byte
 * as shells do, took as long as a fifth of a job's start.
 * @module
 */

/**
 * Builtins of the shell alone: where the worker was killed there may be no room for another process. The file must be
 * ours and no link. A group is ended when its leader is gone, or started when it is said to have started, or, where
 * that was not noted yet, runs as our user. What is left out here is ended by rescue, which can look closer.
 *
 * Behind the last parenthesis of /proc/PID/stat, the start time is the 20th word. dash takes no `kill -KILL -- -123`;
 * `-s` works everywhere.
 */
const SCRIPT = `
while read -r _; do :; done
[ -f "$1" ] && ! [ -h "$1" ] && [ -O "$1" ] || exit 0
while read -r _ p start _; do
  case $p in '' | *[!0-9]* | 0* | 1) continue ;; esac
  if [ -d "/proc/$p" ]; then
    if [ "$start" = 0 ]; then
      [ -O "/proc/$p" ] || continue
    else
      stat=
      while IFS= read -r line || [ -n "$line" ]; do stat="$stat $line"; done <"/proc/$p/stat"
      set -- \${stat##*)}
      [ "\${20}" = "$start" ] || continue
    fi
  fi
  kill -s KILL -- "-$p"
done <"$1"
`;

export interface Guardian {
  close(): Promise<void>;
}

/** A guardian that somebody killed is replaced after this; should it die again and again, not more often. */
const REPLACE_MS = 200;

/** `groupsPath`: the file of `GroupRecords`. */
export function startGuardian(groupsPath: string): Guardian {
  return new ReplacedGuardian(groupsPath);
}

/** Until a new one is there, rescue covers for one that was killed. */
class ReplacedGuardian implements Guardian {
  readonly #groupsPath: string;
  #child: Deno.ChildProcess;
  #isClosing = false;
  #timer: number | undefined;

  constructor(groupsPath: string) {
    this.#groupsPath = groupsPath;
    this.#child = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    await closePipe(this.#child);
    await this.#child.status;
  }

  #start(): Deno.ChildProcess {
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", SCRIPT, "sh", this.#groupsPath],
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      cwd: "/",
      detached: true,
    }).spawn();
    void this.#replaceAtEnd(child);
    return child;
  }

  async #replaceAtEnd(child: Deno.ChildProcess): Promise<void> {
    await child.status;
    if (this.#isClosing) return;
    await closePipe(child);
    if (!this.#isClosing) this.#replaceLater();
  }

  #replaceLater(): void {
    this.#timer = setTimeout(() => {
      try {
        this.#child = this.#start();
      } catch {
        // No process or no file is to be had at this moment. The worker and its jobs go on without one until then.
        this.#replaceLater();
      }
    }, REPLACE_MS);
  }
}

/** Nothing was ever written to it. */
async function closePipe(child: Deno.ChildProcess): Promise<void> {
  await child.stdin.close().catch(() => {});
}
