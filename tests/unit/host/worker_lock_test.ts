/** Locks that prove life, and what is noted beside them. @module */
import { assertEquals } from "@std/assert";
import { removeStaleLocks, takeWorkerLock, tryWorkerLock } from "../../../lib/host/worker_lock.ts";
import { tempDirectory } from "../../support/temp_store.ts";

function files(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
}

Deno.test("a lock is held until it is released, and then nothing is left of it", async () => {
  await using temp = await tempDirectory();
  const lock = takeWorkerLock(temp.path, "w1");
  lock.record(17, 4_321);

  assertEquals(tryWorkerLock(temp.path, "w1"), "held");
  lock.release();

  assertEquals(tryWorkerLock(temp.path, "w1"), "missing");
  assertEquals(files(temp.path), []);
});

Deno.test("the lock of a dead worker can be taken once, with all that it noted", async () => {
  await using temp = await tempDirectory();
  Deno.writeTextFileSync(`${temp.path}/worker-w1.lock`, "");
  // The last line was cut off by the kill.
  Deno.writeTextFileSync(`${temp.path}/worker-w1.groups`, "17 4321 99\n18 4322 100\n19 43");

  const taken = tryWorkerLock(temp.path, "w1");
  if (typeof taken === "string") throw new Error(`the lock is ${taken}`);

  assertEquals(taken.groups.map(({ pgid }) => pgid), [4_321, 4_322]);
  assertEquals(tryWorkerLock(temp.path, "w1"), "held");
  taken.remove();
  assertEquals(files(temp.path), []);
});

Deno.test("stale files are removed; those of the living and of the registered stay", async () => {
  await using temp = await tempDirectory();
  const lock = takeWorkerLock(temp.path, "alive");
  for (const id of ["stale", "registered"]) Deno.writeTextFileSync(`${temp.path}/worker-${id}.lock`, "");
  Deno.writeTextFileSync(`${temp.path}/worker-stale.groups`, "17 4321 99\n");
  Deno.mkdirSync(`${temp.path}/wake`);

  assertEquals(removeStaleLocks(temp.path, new Set(["registered", "alive"])), 1);

  assertEquals(files(temp.path), ["wake", "worker-alive.lock", "worker-registered.lock"]);
  lock.release();
});
