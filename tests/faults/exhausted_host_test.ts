/** A host that has no process left for a job: the job is not to blame. @module */
import { assert, assertEquals } from "@std/assert";
import { twoUsers } from "../support/two_users.ts";

/** Of no other test: the limit counts all processes of a user. */
const UID = 60_000 + Deno.pid % 1_000;
const JOBS = 60;

Deno.test("where processes are short every job completes at its first attempt, and status tells why it takes longer", async () => {
  // The worker itself has some twenty threads.
  await using users = await twoUsers({ uid: UID, limit: "--nproc=40" });
  const jobs = Array.from(
    { length: JOBS },
    (_, i) => JSON.stringify({ id: `j${i}`, argv: ["sleep", "0.2"], max_retries: 0 }),
  );
  await users.run(["enqueue-batch", "-"], { stdin: jobs.join("\n") });

  const { stderr } = await users.run(["worker", "run", "--drain", "--concurrency", String(JOBS)]);

  assertEquals((await users.json(["status"])).jobs.completed, JOBS, stderr);
  const all: { attempts: number }[] = await users.json(["list", "--limit", "0"]);
  assertEquals(all.filter(({ attempts }) => attempts !== 1), []);
  assert(
    /job given back id=\w+ reason="not started because the host is exhausted: too many processes"/.test(stderr),
    stderr,
  );
});
