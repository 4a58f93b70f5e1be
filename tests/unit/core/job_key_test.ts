import { assertEquals, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { keyScope, parseKey, parseKeyScope, parseOnConflict } from "../../../lib/core/job_key.ts";

Deno.test("a key is any text on one line", () => {
  for (const key of ["a", "deploy prod", "ü/漢", "x".repeat(200)]) assertEquals(parseKey(key, "key"), key);
  for (const key of ["", "a\n", "\0", "x".repeat(201), 7, null]) {
    assertThrows(() => parseKey(key, "lock"), InvalidValueError, "Invalid lock");
  }
});

Deno.test("a scope is active, waiting, or a window since creation", () => {
  assertEquals(keyScope(parseKeyScope("active")), { kind: "active" });
  assertEquals(keyScope(null), { kind: "active" });
  assertEquals(keyScope(parseKeyScope("waiting")), { kind: "waiting" });
  assertEquals(keyScope(parseKeyScope("window:1h30m")), { kind: "window", ms: 5_400_000 });
  for (const scope of ["", "window", "window:", "window:0s", "window:x", "ever", 7]) {
    assertThrows(() => parseKeyScope(scope), InvalidValueError, "Invalid key_scope");
  }
});

Deno.test("a conflict is met in one of four ways", () => {
  assertEquals(["skip", "attach", "replace", "fail"].map(parseOnConflict), ["skip", "attach", "replace", "fail"]);
  assertThrows(() => parseOnConflict("wait"), InvalidValueError, "expected skip, attach, replace, fail");
});
