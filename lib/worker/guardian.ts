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

export function startGuardian(): Guardian {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", SCRIPT],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
    cwd: "/",
    detached: true,
  }).spawn();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  // A guardian that somebody killed cannot be told anything; rescue covers for it.
  const tell = (line: string) => void writer.write(encoder.encode(line)).catch(() => {});
  return {
    guard: (pgid) => tell(`+ ${pgid}\n`),
    forget: (pgid) => tell(`- ${pgid}\n`),
    async close() {
      await writer.close().catch(() => {});
      await child.status;
    },
  };
}
