/**
 * One small shell that outlives the worker by a moment: it reads process groups
 * from a pipe, and when the pipe closes because the worker died, it kills them.
 *
 * It is told of each group after the start and of each end, in order. When the
 * worker ends by itself it has no group left, and the guardian just ends.
 * @module
 */

/** dash takes no `kill -KILL -- -123`; `-s` works everywhere. */
const SCRIPT = 'while read -r op p; do case $op in +) set -- "$@" "$p";; ' +
  '-) for q; do shift; [ "$q" = "$p" ] || set -- "$@" "$q"; done;; esac; done; ' +
  'for p; do kill -s KILL -- "-$p"; done 2>/dev/null';

export interface Guardian {
  guard(pgid: number): void;
  forget(pgid: number): void;
  close(): Promise<void>;
}

/** A guardian that somebody killed is replaced after this; should it die again and again, not more often. */
const REPLACE_MS = 200;

export function startGuardian(): Guardian {
  return new ReplacedGuardian();
}

/** Until a new one is there, rescue covers for one that was killed. */
class ReplacedGuardian implements Guardian {
  readonly #groups = new Set<number>();
  readonly #encoder = new TextEncoder();
  #child = startShell();
  #writer = this.#child.stdin.getWriter();
  #isClosing = false;
  #timer: number | undefined;

  constructor() {
    void this.#replaceAtEnd(this.#child);
  }

  guard(pgid: number): void {
    this.#groups.add(pgid);
    this.#tell(`+ ${pgid}\n`);
  }

  forget(pgid: number): void {
    this.#groups.delete(pgid);
    this.#tell(`- ${pgid}\n`);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    await this.#writer.close().catch(() => {});
    await this.#child.status;
  }

  #tell(line: string): void {
    void this.#writer.write(this.#encoder.encode(line)).catch(() => {});
  }

  async #replaceAtEnd(child: Deno.ChildProcess): Promise<void> {
    await child.status;
    if (this.#isClosing) return;
    await this.#writer.close().catch(() => {});
    this.#timer = setTimeout(() => {
      this.#child = startShell();
      this.#writer = this.#child.stdin.getWriter();
      for (const pgid of this.#groups) this.#tell(`+ ${pgid}\n`);
      void this.#replaceAtEnd(this.#child);
    }, REPLACE_MS);
  }
}

function startShell(): Deno.ChildProcess {
  return new Deno.Command("/bin/sh", {
    args: ["-c", SCRIPT],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
    cwd: "/",
    detached: true,
  }).spawn();
}
