/** `queuectl worker start`: a pool of workers in the background. @module */
import { wholeEnvironment } from "../../../host/own_environment.ts";
import { decidingOn } from "../../../worker/pool_files.ts";
import { askFor, type PoolSighting, startPool, workingIn } from "../../../worker/pool_control.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { askedOptions, counted, poolControl, poolName, progress } from "../../pool_options.ts";

export async function run(context: Context, input: Input): Promise<number> {
  const name = poolName(input);
  const asked = askedOptions(input);
  // Before the pool is written down: its workers inherit all of it.
  wholeEnvironment();
  if (isOn(input, "foreground")) return await inForeground(context, name, asked);
  const say = progress(context);
  const control = await poolControl(context, name, {
    onLook: (seen) => say(`waiting for workers: ${workingIn(seen).length} of ${seen.pool?.count ?? "?"}`),
  });
  const { how, seen } = await startPool(control, asked);
  if (isJsonFormat(context)) printJson(context, { how, ...poolJson(seen) });
  else context.print(`${SAID[how]} pool ${name}: ${poolText(seen)}`);
  return 0;
}

const SAID = { started: "Started", adopted: "Adopted", running: "Already running:" } as const;

/** An init system, or a person at a terminal, waits for its end. */
async function inForeground(context: Context, name: string, asked: ReturnType<typeof askedOptions>): Promise<number> {
  // This very process becomes the supervisor.
  const control = { ...await poolControl(context, name), startSupervisor: () => {} };
  await decidingOn(control.store.folder, control.key, () => askFor(control, asked));
  const { supervise } = await import("../../supervise.ts");
  const end = await supervise(context, { key: control.key, isForeground: true, isSuccessor: false });
  // Its database is not the one that it was: whoever started it has to start it again.
  return end === "stopped" ? 0 : 1;
}

export function poolText({ pool, workers, ...seen }: PoolSighting): string {
  const working = workingIn({ pool, workers, ...seen });
  const draining = workers.length - working.length;
  const pids = working.length === 0 ? "" : ` (pid ${working.map(({ pid }) => pid).join(", ")})`;
  const queues = pool?.queues == null ? "" : `, queues ${pool.queues.join(",")}`;
  const old = draining === 0
    ? ""
    : `; ${counted(draining, "earlier worker")} ${draining === 1 ? "finishes" : "finish"} first`;
  return `${counted(working.length, "worker")}${pids}${queues}${old}`;
}

export function poolJson(seen: PoolSighting): Record<string, unknown> {
  const { pool, workers } = seen;
  return {
    pool: pool?.name ?? null,
    count: pool?.count ?? 0,
    concurrency: pool?.concurrency ?? null,
    queues: pool?.queues ?? null,
    generation: pool?.generation ?? null,
    supervisor_pid: seen.isSupervised ? pool?.supervisor?.pid ?? null : null,
    workers: workingIn(seen).map(({ id, pid }) => ({ id, pid })),
    draining: workers.length - workingIn(seen).length,
  };
}
