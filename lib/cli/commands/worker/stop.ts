/** `queuectl worker stop`: ends pools of this host; running jobs finish first, unless told otherwise. @module */
import { NotFoundError, QueuectlError, quoted, UsageError } from "../../../core/errors.ts";
import { parseName } from "../../../core/job_fields.ts";
import { FOREGROUND_POOL } from "../../../core/pool.ts";
import type { PoolRecord } from "../../../store/mod.ts";
import { type PoolSighting, stopPool, whoIsLeft } from "../../../worker/pool_control.ts";
import { poolsHere } from "../../../worker/pool_host.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { durationMs, isOn, text } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { counted, poolControl, progress } from "../../pool_options.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const timeoutMs = durationMs(input, "timeout");
  const isForced = isOn(input, "force");
  if (isForced && timeoutMs !== undefined) {
    throw new UsageError("Cannot use --force with --timeout: it waits for nothing");
  }
  const pools = await chosen(context, text(input, "pool"));
  const releaseAt = isForced ? 0 : timeoutMs === undefined ? null : context.clock.now() + timeoutMs;
  const say = progress(context);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new QueuectlError("failed", "Interrupted: the workers go on stopping"));
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    // All at once, so that one deadline holds for all of them.
    await Promise.all(pools.map(async ({ name, host }) => {
      const began = performance.now();
      const onLook = (seen: PoolSighting, isAnswered: boolean) =>
        say(waitingText(name, seen, { isAnswered, isLong: performance.now() - began > LONG_MS }));
      await stopPool(await poolControl(context, { name, host }, { onLook, signal: interrupted.signal }), releaseAt);
      if (!isJsonFormat(context)) context.print(`Stopped pool ${name}`);
    }));
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
  }
  if (isJsonFormat(context)) printJson(context, { stopped: pools.map(({ name }) => name) });
  else if (pools.length === 0) await explainNothing(context);
}

/** The pools of this host, or the one that was named. */
async function chosen(context: Context, named: string | undefined): Promise<readonly PoolRecord[]> {
  const store = await context.store("write");
  const here = await poolsHere(store);
  if (named === undefined) return here;
  const name = parseName(named, "pool");
  const found = here.filter((pool) => pool.name === name);
  if (found.length === 0) {
    throw new NotFoundError(`No pool ${quoted(name)} on ${Deno.hostname()}`, { hint: "queuectl worker status" });
  }
  return found;
}

/** Most stops are over by then. Who waits longer wants to know for whom. */
const LONG_MS = 3_000;

function waitingText(name: string, seen: PoolSighting, how: { isAnswered: boolean; isLong: boolean }): string {
  const { workers, pool } = seen;
  const jobs = workers.reduce((sum, worker) => sum + worker.jobs.length, 0);
  const text = `stopping pool ${name}: ${counted(workers.length, "worker")}, ${counted(jobs, "job")} still running`;
  if (!how.isLong) return text;
  if (how.isAnswered) return `${text}; waits for ${whoIsLeft(seen)}`;
  return `${text}; its supervisor (pid ${pool?.supervisor?.pid ?? "unknown"}) does not answer yet`;
}

async function explainNothing(context: Context): Promise<void> {
  const workers = await (await context.store("write")).workers.list();
  const others = workers.filter(({ pool }) => pool === FOREGROUND_POOL).map(({ pid }) => pid);
  context.note("No pool is running");
  if (others.length > 0) context.note(`Workers in the foreground end by TERM or Ctrl-C: pid ${others.join(", ")}`);
}
