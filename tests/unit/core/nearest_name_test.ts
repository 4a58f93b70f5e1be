import { assertEquals } from "@std/assert";
import { nearestName } from "../../../lib/core/nearest_name.ts";

const COMMANDS = ["enqueue", "enqueue-batch", "list", "show", "status", "stats", "schedule", "scheduler", "worker"];

Deno.test("nearestName() finds a name despite a wrong, missing, extra or swapped letter", () => {
  assertEquals(nearestName("enqeue", COMMANDS), "enqueue");
  assertEquals(nearestName("enqueu", COMMANDS), "enqueue");
  assertEquals(nearestName("workker", COMMANDS), "worker");
  assertEquals(nearestName("lsit", COMMANDS), "list");
  assertEquals(nearestName("shiw", COMMANDS), "show");
  assertEquals(nearestName("statsu", COMMANDS), "status");
});

Deno.test("nearestName() ignores letter case and the difference between - and _", () => {
  assertEquals(nearestName("MAX-RETRIES", ["max_retries"]), "max_retries");
  assertEquals(nearestName("maxRetries", ["max_retries"]), "max_retries");
  assertEquals(nearestName("--max_retrys", ["--timeout", "--max-retries"]), "--max-retries");
});

Deno.test("nearestName() finds a name by its beginning", () => {
  assertEquals(nearestName("sched", COMMANDS), "schedule");
  assertEquals(nearestName("enq", COMMANDS), "enqueue");
});

Deno.test("nearestName() prefers a name spelled right to a longer one that begins with it", () => {
  assertEquals(nearestName("schedule", ["scheduler", "schedule"]), "schedule");
});

Deno.test("nearestName() prefers the first of two names that are equally near", () => {
  assertEquals(nearestName("bat", ["cat", "hat"]), "cat");
});

Deno.test("nearestName() gives no guess rather than a silly one", () => {
  for (const name of ["frobnicate", "x", "", "--", "wq", "zzzzz"]) assertEquals(nearestName(name, COMMANDS), undefined);
  assertEquals(nearestName("a", ["b"]), undefined);
  assertEquals(nearestName("list", []), undefined);
});
