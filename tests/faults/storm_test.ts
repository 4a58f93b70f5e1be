/** Workers are killed at random, again and again. `deno task soak` does the same for longer. @module */
import { assertEquals } from "@std/assert";
import { storm } from "../support/storm.ts";

Deno.test("300 jobs, 4 workers, 60 kills: every job ends by its rules, and no two runs of one overlap", async () => {
  const { completed, dead } = await storm({ jobs: 300, workers: 4, kills: 60, seed: 4_711 });

  assertEquals(completed + dead, 300);
});
