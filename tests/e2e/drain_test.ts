/** `worker run --drain`, where jobs wait for jobs that died. @module */
import { assert, assertEquals } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { query } from "../support/sqlite_database.ts";

for (const children of [3, 600, 20_000]) {
  Deno.test(`drained: all ${children} children of a job that died are cancelled, and what follows their batch has run`, async () => {
    await using box = await sandbox();
    const lines = [
      { id: "p", command: "exit 3", max_retries: 0 },
      ...Array.from({ length: children }, (_, i) => ({ id: `k${i}`, command: "true", after: ["p"] })),
    ];
    await box.ok(["enqueue-batch", "--batch", "night", "--on-batch-done", "echo report >>report", "-"], {
      stdin: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
    const began = performance.now();

    const { code } = await box.run(["worker", "run", "--drain"]);

    const seconds = (performance.now() - began) / 1_000;
    assertEquals(code, 1);
    assertEquals(query(box.db, "select state, sum(n) as n from job_counts where n > 0 group by 1 order by 1"), [
      { state: "cancelled", n: children },
      { state: "completed", n: 1 },
      { state: "dead", n: 1 },
    ]);
    assertEquals(await Deno.readTextFile(`${box.directory}/report`), "report\n");
    assertEquals((await box.run(["wait", "--batch", "night", "--timeout", "3s"])).code, 1);
    // It takes 2 s; by maintenance alone it took 20 s and more.
    assert(seconds < 30, `it took ${seconds} s`);
  });
}
