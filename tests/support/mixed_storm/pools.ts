/**
 * The pools of a mixed storm: each is started, scaled, restarted and stopped by
 * somebody, except one that is left alone so that its worker grows old.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { Dice } from "../random.ts";
import type { StormHost } from "./host.ts";

/** Its worker is not hit: the memory of an old worker is looked at. */
export const STEADY_POOL = "steady";

const POOLS: Readonly<Record<string, readonly string[]>> = {
  alpha: ["--count", "2", "--concurrency", "2"],
  beta: ["--count", "1", "--concurrency", "3", "--queue", "red,green"],
  gamma: ["--count", "1", "--queue", "blue,default"],
};

export const POOL_NAMES = Object.keys(POOLS);

/** 1: a blow hit what the command waited for. 3: nobody started the pool, or it has ended. 4: it changes just now. */
const CODES = [0, 1, 3, 4];

export async function startSteadyPool(host: StormHost): Promise<void> {
  await host.run(["worker", "start", "--pool", STEADY_POOL, "--concurrency", "2"], [0]);
}

/** Starts a pool; one that was scaled runs with other options, and that is fine. */
export async function startPool(host: StormHost, name: string): Promise<void> {
  await host.run(["worker", "start", "--pool", name, ...POOLS[name]!], CODES);
}

/** Somebody who cannot leave a pool alone. */
export async function disturbPool(
  host: StormHost,
  name: string,
  { seed, isOver }: { readonly seed: number; readonly isOver: () => boolean },
): Promise<void> {
  const dice = new Dice(seed);
  while (!isOver()) {
    await startPool(host, name);
    await delay(dice.between(500, 4_000));
    const pool = ["--pool", name];
    const draw = dice.between(1, 10);
    if (draw <= 3) await host.run(["worker", "scale", ...pool, String(dice.between(0, 3))], CODES);
    else if (draw <= 5) await host.run(["worker", "restart", ...pool], CODES);
    else if (draw <= 7) await host.run(["worker", "stop", ...pool, "--timeout", "300ms"], CODES);
    else if (draw <= 8) await host.run(["worker", "stop", ...pool, "--force"], CODES);
    else if (draw <= 9) await host.run(["worker", "stop", ...pool], CODES);
    await delay(dice.between(0, 1_500));
  }
}
