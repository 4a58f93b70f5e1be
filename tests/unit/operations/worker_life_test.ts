/** Who of the registered workers lives. @module */
import { assertEquals } from "@std/assert";
import { hostIdentity, ownIdentity } from "../../../lib/host/process_identity.ts";
import { takeWorkerLock } from "../../../lib/host/worker_lock.ts";
import { lifeOf, lockHolders } from "../../../lib/operations/worker_life.ts";
import { aWorker } from "../../support/factories.ts";
import { tempStore } from "../../support/temp_store.ts";

/** No process has this number. */
const GONE = { pid: 2 ** 22 + 1, process_start: "1" };

async function lives(scene: (runFolder: string) => () => void, process: Partial<typeof GONE> = {}) {
  await using temp = await tempStore();
  const runFolder = `${temp.store.folder}/run`;
  Deno.mkdirSync(runFolder, { recursive: true });
  await temp.store.workers.register(aWorker({ ...ownIdentity(), ...process, id: "w1" }));
  const [worker] = await temp.store.workers.list();
  const end = scene(runFolder);
  try {
    return { life: lifeOf(worker!, { here: hostIdentity(), runFolder }), holders: lockHolders(runFolder) };
  } finally {
    end();
  }
}

function locked(runFolder: string): () => void {
  const lock = takeWorkerLock(runFolder, "w1");
  return () => lock.release();
}

function unlocked(runFolder: string): () => void {
  Deno.writeTextFileSync(`${runFolder}/worker-w1.lock`, "");
  return () => {};
}

Deno.test("a worker that holds its lock lives", async () => {
  assertEquals(await lives(locked), { life: "alive", holders: ["w1"] });
});

Deno.test("a worker whose lock is free is dead, whoever has its number now", async () => {
  assertEquals(await lives(unlocked), { life: "dead", holders: [] });
});

Deno.test("a worker that is gone is dead also while somebody who cleans up holds its lock", async () => {
  assertEquals((await lives(locked, GONE)).life, "dead");
});

Deno.test("where somebody cleared the folder, the process tells", async () => {
  assertEquals((await lives(() => () => {})).life, "alive");
  assertEquals((await lives(() => () => {}, GONE)).life, "dead");
});
