/**
 * Options of the commands about pools, read and checked in one place.
 * @module
 */
import { loadSettings } from "../config/load_settings.ts";
import { UsageError } from "../core/errors.ts";
import { parseInteger, parseName } from "../core/job_fields.ts";
import { MAX_WORKERS, type PoolOptions, USUAL_POOL } from "../core/pool.ts";
import { effectiveLeaseMs } from "../maintenance/presence.ts";
import type { PoolKey, Store } from "../store/mod.ts";
import type { PoolControl } from "../worker/pool_control.ts";
import { poolKey } from "../worker/pool_host.ts";
import type { Input } from "./command.ts";
import type { Context } from "./context.ts";
import { commaList, integer, text } from "./input.ts";
import { startSupervisor } from "./start_supervisor.ts";

/** More slots than this in one process wait for each other instead of for their jobs. */
export const MAX_CONCURRENCY = 256;

export function poolName(input: Input): string {
  return parseName(text(input, "pool") ?? USUAL_POOL, "pool");
}

/** What was given on the command line, and nothing else. */
export function askedOptions(input: Input): Partial<PoolOptions> {
  const count = integer(input, "count");
  const concurrency = integer(input, "concurrency");
  const queues = commaList(input, "queue").map((name) => parseName(name, "queue"));
  return {
    ...(count === undefined ? {} : { count: parseInteger(count, "count", 1, MAX_WORKERS) }),
    ...(concurrency === undefined ? {} : { concurrency: parseInteger(concurrency, "concurrency", 1, MAX_CONCURRENCY) }),
    ...(queues.length === 0 ? {} : { queues }),
  };
}

export async function poolControl(
  context: Context,
  named: string | PoolKey,
  options: Pick<PoolControl, "onLook" | "signal"> = {},
): Promise<PoolControl> {
  const store = await context.store("write");
  const key = typeof named === "string" ? await poolKey(store, named) : named;
  const leaseMs = await leaseOf(context, store);
  return {
    store,
    clock: context.clock,
    key,
    leaseMs,
    startSupervisor: () => startSupervisor(context, key),
    ...options,
  };
}

/** Undefined when a setting is refused: the supervisor says so better, in its log. */
async function leaseOf({ env }: Context, store: Store): Promise<number | undefined> {
  try {
    return effectiveLeaseMs(loadSettings({ env, stored: await store.settings.all() }).values);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** Says on stderr what it is, but not twice in a row. */
export function progress(context: Context): (line: string) => void {
  let last = "";
  return (line) => {
    if (line !== last) context.note(line);
    last = line;
  };
}

/** `1 worker`, `3 jobs`. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
