/**
 * Where a mixed storm happens: a sandbox in which queuectl runs as `nobody` and
 * jobs may start processes of root, or, where that cannot be had, one of a
 * single user. It keeps count of how commands ended.
 * @module
 */
import { type Ended, type RunOptions, type Sandbox, sandbox } from "../binary.ts";
import { twoUsers } from "../two_users.ts";

export interface StormHost extends AsyncDisposable {
  readonly box: Sandbox;
  /** What a job puts before a command that is to run as another user; undefined: it cannot. */
  readonly asRoot: string | undefined;
  /** Which commands ended how often with which code, and a message of each. */
  readonly tally: ReadonlyMap<string, { count: number; readonly message: string }>;
  /** Commands that ended as they never should. */
  readonly violations: readonly string[];
  /** Runs a command of queuectl. Other exit codes than these and 5 for a locked database are violations. */
  run(args: readonly string[], codes: readonly number[], options?: RunOptions): Promise<Ended>;
}

/** A stopped process may hold the write lock longer than others wait for it. */
const STORE_UNAVAILABLE = 5;
const LOCKED = /locked|busy/i;

/** `worker start` gives up after a minute; whoever waits longer than this hangs. */
const PATIENCE_MS = 180_000;

/** Messages of a bug, whatever the exit code. */
const BUG = /Unexpected error|panicked|at file:\/\//;

export async function stormHost({ needsTwoUsers }: { readonly needsTwoUsers: boolean }): Promise<StormHost> {
  const isRoot = Deno.uid() === 0;
  if (!isRoot && needsTwoUsers) throw new Error("the storm needs root: some of its jobs have children of another user");
  const users = isRoot ? await twoUsers() : undefined;
  const box = users?.box ?? await sandbox();
  const start = users?.run ?? box.run;
  const tally = new Map<string, { count: number; message: string }>();
  const violations: string[] = [];
  return {
    box,
    asRoot: users?.asRoot,
    tally,
    violations,
    async run(args, codes, options) {
      const ended = await start(args, { ...options, patienceMs: PATIENCE_MS });
      const { code, stdout, stderr } = ended;
      const isFine = codes.includes(code) || (code === STORE_UNAVAILABLE && LOCKED.test(stderr));
      if (!isFine || BUG.test(stderr)) {
        violations.push(`queuectl ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
      }
      const name = `${args.slice(0, args[0] === "worker" || args[0] === "queue" ? 2 : 1).join(" ")} -> ${code}`;
      const known = tally.get(name);
      if (known === undefined) tally.set(name, { count: 1, message: stderr.trim() });
      else known.count++;
      return ended;
    },
    async [Symbol.asyncDispose]() {
      await box.killAll();
      await (users ?? box)[Symbol.asyncDispose]();
    },
  };
}
