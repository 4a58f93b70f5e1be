/**
 * A process that holds the lock of a worker, as the worker would, and does
 * nothing else. For the caller to end.
 * @module
 */
import { waitFor } from "./wait_for.ts";
import { workerLockState } from "../../lib/host/worker_lock.ts";

export async function lockHolder(runFolder: string, workerId: string): Promise<Deno.ChildProcess> {
  Deno.mkdirSync(runFolder, { recursive: true, mode: 0o700 });
  // The system names the process that asked for a lock as its holder: not flock(1) in place of a shell.
  const script = "open F, '>', $ARGV[0]; flock F, 2; sleep 60";
  const child = new Deno.Command("perl", { args: ["-e", script, `${runFolder}/worker-${workerId}.lock`] }).spawn();
  await waitFor(() => workerLockState(runFolder, workerId) === "held", "the lock to be held");
  return child;
}
