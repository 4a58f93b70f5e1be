import { assertEquals, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { formatRate, parseQueueLimit, parseRate } from "../../../lib/core/queue_limits.ts";

Deno.test("a limit is a whole number, none or 0 takes it away", () => {
  assertEquals(["1", " 20 ", "none", "0"].map((text) => parseQueueLimit(text, "concurrency")), [1, 20, null, null]);
  for (const text of ["", "-1", "1.5", "two", "99999999999"]) {
    assertThrows(() => parseQueueLimit(text, "concurrency"), InvalidValueError, "Invalid concurrency");
  }
});

Deno.test("a rate is so many starts in a time", () => {
  assertEquals(parseRate("10/1s"), { count: 10, ms: 1_000 });
  assertEquals(parseRate("100/m"), { count: 100, ms: 60_000 });
  assertEquals(parseRate("5 / 1h30m"), { count: 5, ms: 5_400_000 });
  assertEquals([parseRate("none"), parseRate("0")], [null, null]);
  for (const text of ["", "10", "10/", "/1s", "0/1s", "10/0s", "1.5/s", "10/x", "1000000/1s"]) {
    assertThrows(() => parseRate(text), InvalidValueError, "Invalid rate");
  }
});

Deno.test("a rate is shown as it is read", () => {
  for (const text of ["10/1s", "3/1m30s", "1/250ms"]) assertEquals(formatRate(parseRate(text)!), text);
});
