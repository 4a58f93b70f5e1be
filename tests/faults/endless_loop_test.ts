/** Jobs whose rows cannot be read: they are claimed no more often than others. @module */
import { assertEquals, assertMatch } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { smallDisk } from "../support/small_disk.ts";
import { execute } from "../support/sqlite_database.ts";

Deno.test("a job that makes its output longer than a number can tell is retried once, shown, and over", async () => {
  await using box = await sandbox();
  // Of the usual filesystems tmpfs, xfs and btrfs take such lengths; ext4 does not.
  await using disk = await smallDisk("64m");
  const env = { QUEUECTL_DB: `${disk.path}/queue.db` };
  const command = "truncate -s 4E /dev/stdout; exit 1";
  const { stdout } = await box.run(["enqueue", "--max-retries", "1", "--backoff", "fixed:50ms", command], { env });

  const { code } = await box.run(["worker", "run", "--drain"], { env });

  assertEquals(code, 1);
  const { state, runs } = await box.json(["show", stdout.trim()], { env });
  assertEquals([state, runs.length, runs[0].stdout_bytes], ["dead", 2, Number.MAX_SAFE_INTEGER]);
});

Deno.test("an imported count that no claim can raise is refused by import, and parks its job where it is stored", async () => {
  await using box = await sandbox();
  const line = (count: number) =>
    JSON.stringify({ id: "p", state: "dead", command: "true", finished_at: "2020-01-01T00:00:00Z", run_count: count });
  const refused = await box.run(["import", "-"], { stdin: line(Number.MAX_SAFE_INTEGER) });
  assertEquals(refused.code, 2);
  assertMatch(refused.stderr, /run_count.*from 0 to 1000000000/);
  await box.ok(["import", "-"], { stdin: line(3) });
  execute(box.db, "update jobs set run_count = 9007199254740991 where id = 'p'");
  await box.ok(["retry", "p"]);
  const innocent = await box.ok(["enqueue", "true"]);

  await box.run(["worker", "run", "--drain"]);

  assertEquals((await box.json(["show", innocent])).state, "completed");
  const { state, reason } = await box.json(["show", "p"]);
  assertEquals(state, "dead");
  assertMatch(reason, /cannot be claimed/);
});
