import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { type HostReadings, judgeGate, parseGate } from "../../../lib/core/gate.ts";

const GIB = 1024 ** 3;

function host(overrides: Partial<HostReadings> = {}): HostReadings {
  return {
    load: () => 1.5,
    availableMemory: () => 4 * GIB,
    freeSpace: () => 20 * GIB,
    exists: () => true,
    ...overrides,
  };
}

Deno.test("a gate is a list of conditions", () => {
  assertEquals(parseGate(" load<4 mem>2G,free:/data>10G  file:/run/ok "), [
    { kind: "load", sign: "<", limit: 4 },
    { kind: "mem", sign: ">", limit: 2 * GIB },
    { kind: "free", path: "/data", sign: ">", limit: 10 * GIB },
    { kind: "file", path: "/run/ok" },
  ]);
});

Deno.test("what is no condition is refused", () => {
  for (
    const gate of ["", "  ", 7, "load", "load=4", "load<x", "mem>", "mem>2Q", "free>1G", "mem:/x>1G", "file:x", "cpu<1"]
  ) {
    assertThrows(() => parseGate(gate), InvalidValueError, "Invalid when");
  }
});

Deno.test("a gate is open when all of its conditions hold", () => {
  assertEquals(judgeGate(parseGate("load<4 mem>2G free:/data>10G file:/run/ok"), host()), { isOpen: true });
});

Deno.test("a closed gate says what was seen", () => {
  const seen = (gate: string, readings: Partial<HostReadings>) => {
    const verdict = judgeGate(parseGate(gate), host(readings));
    return verdict.isOpen ? "open" : verdict.seen;
  };
  assertEquals(seen("load<4", { load: () => 4 }), "load<4: it is 4.00");
  assertEquals(seen("load>1", { load: () => 0.5 }), "load>1: it is 0.50");
  assertEquals(seen("mem>2G", { availableMemory: () => GIB }), "mem>2GiB: it is 1GiB");
  assertEquals(seen("free:/data>10G", { freeSpace: () => 0 }), "free:/data>10GiB: it is 0B");
  assertStringIncludes(seen("file:/run/ok", { exists: () => false }), "file:/run/ok: there is no such file");
  assertStringIncludes(seen("free:/gone>1G", { freeSpace: () => undefined }), "cannot be told here");
});

Deno.test("a gate asks about a path by its name, and no further than the first closed condition", () => {
  const asked: string[] = [];
  const exists = (path: string) => {
    asked.push(path);
    return path === "/a";
  };

  judgeGate(parseGate("file:/a file:/b file:/c"), host({ exists }));

  assertEquals(asked, ["/a", "/b"]);
});
