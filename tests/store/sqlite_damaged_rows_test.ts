/** Rows with numbers that JavaScript has none for: they spoil neither reading nor the queue. @module */
import { assertEquals, assertMatch } from "@std/assert";
import { aClaim, aJob, aNewJob } from "../support/factories.ts";
import { execute } from "../support/sqlite_database.ts";
import { tempStore } from "../support/temp_store.ts";

const HUGE = "4611686018427387904";

Deno.test("a run whose count of bytes is beyond all numbers is read with the largest there is", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "dead" });
  execute(temp.path, `update runs set stdout_bytes = ${HUGE}`);

  const [run] = await temp.store.jobs.runs(job.seq);

  assertEquals([run?.stdout_bytes, run?.stderr_bytes], [Number.MAX_SAFE_INTEGER, 0]);
});

Deno.test("counts of bytes are stored as numbers that can be read again", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const output = { stdout: null, stderr: null, stdoutBytes: 2 ** 62, stderrBytes: 0, droppedBytes: 2 ** 63 };

  await temp.store.jobs.finish([{
    ...{ seq: job.seq, claim: job.claim, result: { kind: "exited", code: 0 }, finishedAt: 1, durationMs: 1 },
    ...{ maxCrashes: 3, random: 0, output },
  }]);

  const [run] = await temp.store.jobs.runs(job.seq);
  assertEquals([run?.stdout_bytes, run?.dropped_bytes], [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
});

for (const count of ["9007199254740991", "9223372036854775807"]) {
  Deno.test(`a job that cannot be claimed (run_count ${count}) is dead with a reason, its children are told, and the next is claimed`, async () => {
    await using temp = await tempStore();
    const { store } = temp;
    const [bad, child, good] = await store.jobs.enqueue([
      aNewJob({ id: "bad", priority: 9 }),
      aNewJob({ id: "child", after: ["bad"] }),
      aNewJob({ id: "good" }),
    ]);
    execute(temp.path, `update jobs set run_count = ${count} where id = 'bad'`);

    const claimed = await store.jobs.claim(aClaim());

    assertEquals(claimed.map(({ id }) => id), [good!.id]);
    const { state, reason } = await store.jobs.find(bad!.id);
    assertEquals(state, "dead");
    assertMatch(reason ?? "", /^it cannot be claimed: /);
    assertEquals((await store.jobs.find(child!.id)).state, "cancelled");
    assertEquals(await store.jobs.claim(aClaim()), []);
  });
}
