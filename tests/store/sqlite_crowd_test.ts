/** Who goes first when many processes want to write to one SQLite file. @module */
import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { Connection } from "../../lib/store/sqlite/connection.ts";
import { Crowd } from "../../lib/store/sqlite/crowd.ts";
import { openDriver } from "../../lib/store/sqlite/driver.ts";
import { aClaim, aNewJob } from "../support/factories.ts";
import { tempStore } from "../support/temp_store.ts";

Deno.test("a crowd is there after many long waits, not after one", () => {
  const crowd = new Crowd();

  crowd.waited(55);
  assertEquals(crowd.isThere(), false);
  for (let i = 0; i < 20; i++) crowd.waited(15);
  assertEquals(crowd.isThere(), true);
  for (let i = 0; i < 60; i++) crowd.waited(0);
  assertEquals(crowd.isThere(), false);
});

Deno.test("writeInTurn() waits for the lock like any other where there is no crowd", async () => {
  await using scene = await locked();
  let looks = 0;

  const result = await scene.connection.writeInTurn("test", () => "written", () => {
    looks++;
    return true;
  });

  assertEquals({ result, looks }, { result: "written", looks: 0 });
});

Deno.test("writeInTurn() stands back in a crowd, and writes when the lock is free", async () => {
  await using scene = await locked({ isCrowded: true });

  const result = await scene.connection.writeInTurn("test", () => "written", () => false);

  assertEquals(result, "written");
  assert(scene.connection.busyRetries > 0);
});

Deno.test("one comes back from a crowd after the same time on average, however many there are", () => {
  const crowd = new Crowd();
  const means = [4, 32].map((size) => {
    crowd.size = size;
    const times = Array.from({ length: 1_000 }, () => crowd.standBackMs());
    return times.reduce((sum, ms) => sum + ms, 0) / times.length / size;
  });

  for (const mean of means) assert(mean > 11 && mean < 13, `${mean} ms`);
});

Deno.test("writeInTurn() gives up when it stood back and is not wanted any more", async () => {
  await using scene = await locked({ isCrowded: true });

  const result = await scene.connection.writeInTurn("test", () => "written", () => true);

  assertEquals(result, undefined);
});

Deno.test("write() waits as long as ever in a crowd: nobody else does its work", async () => {
  await using scene = await locked({ isCrowded: true });

  assertEquals(await scene.connection.write("test", () => "written"), "written");
});

/** A connection to a file whose write lock somebody holds for a moment. */
async function locked({ isCrowded = false } = {}) {
  const temp = await tempStore();
  const other = new DatabaseSync(temp.path);
  const connection = new Connection(openDriver(temp.path, { busyTimeoutMs: 50 }), {
    path: temp.path,
    busyTimeoutMs: 30_000,
  });
  if (isCrowded) { for (let i = 0; i < 100; i++) connection.crowd.waited(50); }
  other.exec("begin immediate");
  // As soon as the one who waits lets others run: until then it has met the lock.
  setTimeout(() => other.exec("rollback"), 0);
  return {
    connection,
    async [Symbol.asyncDispose]() {
      connection.close();
      other.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}

Deno.test("claim() gives up in a crowd when it is not wanted any more, and is to be made again at once", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await store.jobs.enqueue([aNewJob()]);
  const other = new DatabaseSync(temp.path);

  other.exec("begin immediate");
  const given = await store.jobs.claim(aClaim({ isWanted: () => false }));
  const due = await store.jobs.nextDue();
  other.exec("rollback");
  const taken = await store.jobs.claim(aClaim({ isWanted: () => false }));

  assertEquals({ given, isDue: due === temp.clock.now() }, { given: [], isDue: true });
  assertEquals(taken.length, 1);
  other.close();
});
