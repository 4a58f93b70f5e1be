/**
 * A sandbox for pools of workers: whatever is left of them is killed at its
 * end, and jobs wait until the test lets them go.
 * @module
 */
import { type Sandbox, sandbox } from "./binary.ts";
import { waitFor } from "./wait_for.ts";

/** As `worker status --json` shows it; what tests look at. */
export interface SeenWorker {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly pool: string;
  readonly state: string;
  readonly slots: number;
  readonly jobs: readonly string[];
  readonly queues: readonly string[] | null;
}

/** A job that runs until it is let go. */
export interface GatedJob {
  readonly id: string;
  /** Resolves when it runs. */
  started(): Promise<void>;
  letGo(): Promise<void>;
}

export interface PoolBox extends Sandbox {
  /** Everything beside the database. */
  readonly folder: string;
  workers(): Promise<readonly SeenWorker[]>;
  /** Waits until exactly so many workers take jobs, and gives them. */
  untilWorking(count: number): Promise<readonly SeenWorker[]>;
  gatedJob(name: string, options?: readonly string[]): Promise<GatedJob>;
  /** Waits until a job is in a state, and gives it with its runs. */
  // deno-lint-ignore no-explicit-any -- as of Sandbox.json
  untilState(id: string, state: string): Promise<any>;
  /** Waits until none of its processes is left. */
  untilEmpty(): Promise<void>;
}

export async function poolBox(): Promise<PoolBox> {
  const box = await sandbox();
  const workers = () => box.json<SeenWorker[]>(["worker", "status"]);
  return {
    ...box,
    folder: `${box.db}.d`,
    workers,
    untilWorking: (count) =>
      waitFor(async () => {
        const working = (await workers()).filter((worker) => worker.state === "running");
        return working.length === count && working;
      }, `${count} workers that take jobs`),
    gatedJob: async (name, options = []) => {
      const [started, go] = [`${box.directory}/${name}.started`, `${box.directory}/${name}.go`];
      const id = await box.ok([
        "enqueue",
        ...options,
        "--id",
        name,
        `: >'${started}'; until [ -e '${go}' ]; do sleep 0.02; done`,
      ]);
      return {
        id,
        started: async () => void await waitFor(() => exists(started), `job ${name} to run`),
        letGo: () => Deno.writeTextFile(go, ""),
      };
    },
    untilState: (id, state) =>
      waitFor(async () => {
        const job = await box.json(["show", id]);
        return job.state === state && job;
      }, `job ${id} to be ${state}`),
    untilEmpty: async () => void await waitFor(() => box.processes().length === 0, "the end of all processes"),
    async [Symbol.asyncDispose]() {
      await box.killAll();
      await box[Symbol.asyncDispose]();
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
