/**
 * A worker of the compiled binary that runs while something is measured.
 * @module
 */
import { type Bench, BINARY, cleanEnvironment } from "./bench.ts";

/** Until everything that a worker loads lazily is loaded. */
const SETTLE_MS = 1_500;

export interface RunningWorker {
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startWorker(bench: Bench, db: string, concurrency: number): Promise<RunningWorker> {
  const child = new Deno.Command(BINARY, {
    ...cleanEnvironment(bench),
    args: ["--db", db, "worker", "run", "--concurrency", String(concurrency)],
    stdout: "null",
    stderr: "null",
  }).spawn();
  await new Promise((wake) => setTimeout(wake, SETTLE_MS));
  return {
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}
