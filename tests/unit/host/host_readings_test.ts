import { assert, assertEquals } from "@std/assert";
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
