/** Who does maintenance, and that it is done. @module */
import { assertEquals } from "@std/assert";
import { ownIdentity } from "../../../lib/host/process_identity.ts";
import { takeWorkerLock } from "../../../lib/host/worker_lock.ts";
import { MAINTENANCE_LEASE, type ScheduledTask, startMaintainer } from "../../../lib/maintenance/maintainer.ts";
import { aHolder } from "../../support/factories.ts";
import { maintenanceOf } from "../../support/maintenance.ts";
import { type TempStore, tempStore } from "../../support/temp_store.ts";
import { waitFor } from "../../support/wait_for.ts";

const SYSTEM_CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

function countingTask(): ScheduledTask & { runs: number } {
  const counting = {
    name: "count",
    runs: 0,
    intervalMs: () => 0,
    task: { runOnce: () => Promise.resolve({ runs: ++counting.runs }) },
  };
  return counting;
}

/** A maintainer with the worker lock of its id, as it has to have. */
function maintainer(temp: TempStore, id: string, tasks: readonly ScheduledTask[]): AsyncDisposable {
  Deno.mkdirSync(`${temp.store.folder}/run`, { recursive: true });
  const lock = takeWorkerLock(`${temp.store.folder}/run`, id);
  // Another process number than ours, so that its lock is asked and not the number.
  const self = { ...ownIdentity(), pid: 1, id };
  const started = startMaintainer({ context: maintenanceOf(temp), self, tasks });
  let isOver = false;
  return {
    async [Symbol.asyncDispose]() {
      if (isOver) return;
      isOver = true;
      await started.stop();
      lock.release();
    },
  };
}

const holderOf = async (temp: TempStore) => (await temp.store.leases.get(MAINTENANCE_LEASE))?.holder.id;

Deno.test("one of two maintainers runs the tasks; when it stops, the other takes over", async () => {
  await using temp = await tempStore({ clock: SYSTEM_CLOCK });
  const [first, second] = [countingTask(), countingTask()];
  {
    await using one = maintainer(temp, "one", [first]);
    await waitFor(() => first.runs >= 2, "the first maintainer to run its task twice");
    await using _two = maintainer(temp, "two", [second]);
    await waitFor(() => first.runs >= 4, "the first maintainer to go on");

    assertEquals(second.runs, 0);
    assertEquals(await holderOf(temp), "one");

    await one[Symbol.asyncDispose]();
    await waitFor(() => second.runs > 0, "the second maintainer to take over");
    assertEquals(await holderOf(temp), "two");
  }
  assertEquals(await holderOf(temp), undefined);
});

Deno.test("the duty of a process that died on this host is taken over at once", async () => {
  await using temp = await tempStore({ clock: SYSTEM_CLOCK });
  const dead = aHolder({ ...ownIdentity(), id: "dead", pid: 2 ** 22 + 1, process_start: "1" });
  await temp.store.leases.take(MAINTENANCE_LEASE, dead, undefined);
  const task = countingTask();

  await using _one = maintainer(temp, "one", [task]);

  await waitFor(() => task.runs > 0, "the duty to be taken over");
  assertEquals(await holderOf(temp), "one");
});

Deno.test("a task that fails is tried again, and keeps no other from its work", async () => {
  await using temp = await tempStore({ clock: SYSTEM_CLOCK });
  let failures = 0;
  const failing = {
    name: "fail",
    intervalMs: () => 0,
    task: { runOnce: () => Promise.reject(new Error(`${++failures}`)) },
  };
  const task = countingTask();

  await using _one = maintainer(temp, "one", [failing, task]);

  await waitFor(() => failures >= 2 && task.runs >= 2, "both tasks to be run twice");
});
