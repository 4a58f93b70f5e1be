/** How far long work has come, on one line. */
import { assertEquals } from "@std/assert";
import { progressLine } from "../../../../lib/cli/output/progress.ts";

Deno.test("progress without a known end is a count", () => {
  assertEquals(progressLine("Reading", 12_345), "Reading 12,345");
});

Deno.test("progress towards an end has a bar, and is never more than all", () => {
  assertEquals(progressLine("Adding", 0, 10), `Adding ${"░".repeat(24)}   0 % 0 of 10`);
  assertEquals(progressLine("Adding", 500, 1_000), `Adding ${"█".repeat(12)}${"░".repeat(12)}  50 % 500 of 1,000`);
  assertEquals(progressLine("Adding", 12, 10), `Adding ${"█".repeat(24)} 100 % 12 of 10`);
});
