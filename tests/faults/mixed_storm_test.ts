/** Everything at once: jobs of all kinds, pools, people and signals. `deno task soak --mixed` does the same for longer. @module */
import { assert, assertEquals } from "@std/assert";
import { mixedStorm } from "../support/mixed_storm/mod.ts";

const STORM_MS = 40_000;
const SEED = 1_313;

Deno.test("in a mixed storm no run overlaps another, nothing acknowledged is lost, and memory stays bounded", async () => {
  const result = await mixedStorm({ forMs: STORM_MS, seed: SEED, needsTwoUsers: true });

  assertEquals(result.violations, [], `seed ${SEED}`);
  // Otherwise it was too calm to show anything.
  assert(result.jobs >= 20, `${result.jobs} jobs`);
  assert((result.outcomes.succeeded ?? 0) > 0 && result.blows.size > 0 && result.memory.length > 0);
});
