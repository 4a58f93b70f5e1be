/** Starts a supervisor for a pool, in the background. @module */
import { sameStore, spawnSelf } from "../worker/spawn_self.ts";
import type { PoolKey } from "../store/mod.ts";
import type { Context } from "./context.ts";

export function startSupervisor(context: Context, { name, host }: PoolKey, flags: readonly string[] = []): void {
  const { args, env } = sameStore(context.dbPath);
  spawnSelf(["__supervisor", "--pool", name, "--host", host, ...flags, ...args], { env });
}
