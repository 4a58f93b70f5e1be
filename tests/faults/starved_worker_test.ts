/** A worker that is busy without ever waiting. @module */
import { assert } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { query } from "../support/sqlite_database.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("TERM stops a worker at once that has thousands of jobs which cannot start, and it beats meanwhile", async () => {
  await using box = await sandbox();
  const count = 30_000;
  const line = '{"argv":["/nonexistent/program"],"max_retries":0}\n';
  await box.ok(["enqueue-batch", "-"], { stdin: line.repeat(count) });
  // Asked of the file itself: commands would take too long while the queue empties.
  const pending = () => Number(query(box.db, "select sum(n) as n from job_counts where state = 'pending'")[0]?.n);
  const beats = () => Number(query(box.db, "select max(beat) as beat from workers")[0]?.beat);
  const worker = await box.start(["worker", "run"], { env: { QUEUECTL_HEARTBEAT_INTERVAL: "50ms" } });
  await waitFor(() => pending() < count, "the first job to be over");
  const before = beats();
  await waitFor(() => beats() >= before + 3, "three beats");

  worker.signal("SIGTERM");
  await worker.wait();

  assert(pending() > 0, "it emptied the queue before it listened");
});
