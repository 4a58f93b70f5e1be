import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gateJudge, HOST } from "../../../lib/host/host_readings.ts";

Deno.test("the host tells its load, memory, free space and files", () => {
  assert(HOST.load()! >= 0);
  assert(HOST.availableMemory()! > 0);
  assert(HOST.freeSpace("/")! > 0);
  assertEquals(HOST.freeSpace("/no/such/place"), undefined);
  assertEquals([HOST.exists("/"), HOST.exists("/no/such/place")], [true, false]);
});

Deno.test("a gate is looked at again after a second", () => {
  let now = 0;
  let asked = 0;
  const judge = gateJudge(() => now, { ...HOST, exists: () => ++asked > 1 });

  assertEquals(judge("file:/x").isOpen, false);
  now = 999;
  assertEquals(judge("file:/x").isOpen, false);
  now = 1_000;
  assertEquals(judge("file:/x").isOpen, true);
  assertEquals(asked, 2);
});

Deno.test("gates that differ in a number only have the host asked once a second", () => {
  let now = 0;
  const asked = { load: 0, memory: 0 };
  const judge = gateJudge(() => now, {
    ...HOST,
    load: () => ++asked.load,
    availableMemory: () => ++asked.memory,
  });

  for (let i = 1; i <= 50; i++) judge(`load<${i} mem>${i}G`);
  now = 1_000;
  assertEquals(judge("load>5"), { isOpen: false, seen: "load>5: it is 2.00" });

  assertEquals(asked, { load: 2, memory: 1 });
});

Deno.test("a gate that cannot be read is closed, and says so", () => {
  const verdict = gateJudge(() => 0)("moon<1");

  assert(!verdict.isOpen);
  assertStringIncludes(verdict.seen, "moon<1");
});
