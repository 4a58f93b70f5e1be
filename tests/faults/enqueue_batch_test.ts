/** A batch whose process is killed is there whole or not at all. */
import { assert, assertEquals } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { integrity } from "../support/sqlite_database.ts";
import { waitFor } from "../support/wait_for.ts";

const SIZE = 60_000;

/** Bytes of the write-ahead log: it grows while the transaction is open, beyond what fits into memory. */
function logBytes(db: string): number {
  try {
    return Deno.statSync(`${db}-wal`).size;
  } catch {
    return 0;
  }
}

Deno.test("kill -9 of enqueue-batch at any moment leaves all of it or nothing", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "before", "true"]);
  await Deno.writeTextFile(
    `${box.directory}/batch`,
    // Long commands, so that much of it is written before the commit.
    Array.from({ length: SIZE }, (_, i) => `: ${i} ${"x".repeat(400)}`).join("\n"),
  );
  let stored = 1;
  let killedWhileWriting = 0;

  // While it reads; while it writes, three times; and when it is over, which is never too early.
  for (const until of [0, 1, 8, 20, Infinity]) {
    const start = logBytes(box.db);
    const batch = await box.start(["enqueue-batch", "--lines", "batch"]);
    let isOver = false;
    const ended = batch.wait().then((end) => {
      isOver = true;
      return end;
    });
    await waitFor(() => isOver || logBytes(box.db) - start >= until * 1_000_000, `${until} MB of log`);
    batch.signal("SIGKILL");
    const { signal, code } = await ended;

    const { jobs } = await box.json(["status"]);
    if (code === 0) stored += SIZE;
    // Killed after its commit and before its last word: it is there all the same.
    else if (jobs.pending === stored + SIZE) stored += SIZE;
    if (signal === "SIGKILL" && until > 0 && until < Infinity) killedWhileWriting++;
    assertEquals(jobs.pending, stored, `killed after ${until} MB`);
    assertEquals((await box.json(["show", "before"])).state, "pending");
    assertEquals((await box.json<unknown[]>(["list", "--limit", "0"])).length, stored);
  }

  assert(killedWhileWriting > 0, "no kill came while the batch was being written");
  assertEquals(integrity(box.db), "ok");
  assertEquals([...Deno.readDirSync(box.directory)].filter((file) => file.name.includes("spool")), []);
});
