import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { attemptsAllowed, type Backoff, parseBackoff, retryDelayMs } from "../../../lib/core/retry_policy.ts";

const DEFAULTS: Backoff = { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 };

function delays(backoff: Partial<Backoff>, attempts = 5): number[] {
  return Array.from({ length: attempts }, (_, i) => retryDelayMs({ ...DEFAULTS, ...backoff }, i + 1, 0.9) / 1_000);
}

Deno.test("a job with R retries has R + 1 attempts, and one with none has one", () => {
  assertEquals(attemptsAllowed(3), 4);
  assertEquals(attemptsAllowed(0), 1);
});

Deno.test("exponential backoff waits base^n seconds after the n-th failed attempt", () => {
  assertEquals(delays({}), [2, 4, 8, 16, 32]);
  assertEquals(delays({ base: 3 }, 3), [3, 9, 27]);
});

Deno.test("exponential backoff takes fractional bases", () => {
  assertEquals(delays({ base: 1.5 }, 3), [1.5, 2.25, 3.375]);
  assertEquals(delays({ base: 0.5 }, 3), [0.5, 0.25, 0.125]);
});

Deno.test("linear backoff waits delay * n", () => {
  assertEquals(delays({ strategy: "linear", delay: 30 }, 3), [30, 60, 90]);
});

Deno.test("fixed backoff waits the same every time", () => {
  assertEquals(delays({ strategy: "fixed", delay: 10 }, 3), [10, 10, 10]);
  assertEquals(delays({ strategy: "fixed", delay: 0 }, 2), [0, 0]);
});

Deno.test("no delay is longer than max", () => {
  assertEquals(delays({ max: 10 }), [2, 4, 8, 10, 10]);
  assertEquals(delays({ strategy: "linear", max: 100 }, 3), [60, 100, 100]);
  assertEquals(delays({ strategy: "fixed", max: 5 }, 1), [5]);
});

Deno.test("a delay never overflows, however many attempts failed", () => {
  assertEquals(retryDelayMs(DEFAULTS, 1_000, 0.5), 21_600_000);
  assertEquals(retryDelayMs(DEFAULTS, 1_000_000, 0.5), 21_600_000);
  assertEquals(retryDelayMs({ ...DEFAULTS, base: 1e308, jitter: 1 }, 1e9, 1), 21_600_000);
});

Deno.test("jitter 0 is exact whatever the random number", () => {
  for (const random of [0, 0.3, 0.999999]) assertEquals(retryDelayMs(DEFAULTS, 3, random), 8_000);
});

Deno.test("jitter spreads a delay evenly by its share to both sides", () => {
  const backoff: Backoff = { ...DEFAULTS, strategy: "fixed", delay: 10, jitter: 0.2 };

  assertEquals([0, 0.25, 0.5, 1].map((random) => retryDelayMs(backoff, 1, random)), [8_000, 9_000, 10_000, 12_000]);
});

Deno.test("jitter keeps to max and still spreads the delays that reach it", () => {
  const backoff: Backoff = { ...DEFAULTS, strategy: "fixed", delay: 100, max: 10, jitter: 0.2 };

  assertEquals([0, 0.5, 1].map((random) => retryDelayMs(backoff, 1, random)), [8_000, 9_000, 10_000]);
});

Deno.test("a delay is a whole number of milliseconds", () => {
  assert(Number.isInteger(retryDelayMs({ ...DEFAULTS, base: 1.37, jitter: 0.3 }, 3, 0.123)));
});

Deno.test("parseBackoff() gives the defaults when nothing is said", () => {
  assertStrictEquals(parseBackoff(undefined, DEFAULTS), DEFAULTS);
  assertStrictEquals(parseBackoff(null, DEFAULTS), DEFAULTS);
  assertEquals(parseBackoff({}, DEFAULTS), DEFAULTS);
});

Deno.test("parseBackoff() reads text", () => {
  const cases: [string, Partial<Backoff>][] = [
    ["exponential", {}],
    ["exponential:3", { base: 3 }],
    ["exponential:1.5", { base: 1.5 }],
    ["linear", { strategy: "linear" }],
    ["linear:30s", { strategy: "linear", delay: 30 }],
    ["fixed:10s", { strategy: "fixed", delay: 10 }],
    ["fixed:10", { strategy: "fixed", delay: 10 }],
    ["fixed:500ms", { strategy: "fixed", delay: 0.5 }],
    ["exponential:2,max=1h", { max: 3_600 }],
    ["fixed:10s, max=1h, jitter=0.2", { strategy: "fixed", delay: 10, max: 3_600, jitter: 0.2 }],
    ["exponential,base=4", { base: 4 }],
  ];
  for (const [text, changes] of cases) assertEquals(parseBackoff(text, DEFAULTS), { ...DEFAULTS, ...changes }, text);
});

Deno.test("parseBackoff() reads JSON and fills in what it does not say", () => {
  assertEquals(parseBackoff({ strategy: "fixed", delay: "10s" }, DEFAULTS), {
    ...DEFAULTS,
    strategy: "fixed",
    delay: 10,
  });
  assertEquals(parseBackoff({ max: 30, jitter: 1, base: null }, DEFAULTS), { ...DEFAULTS, max: 30, jitter: 1 });
});

Deno.test("parseBackoff() reads back what it gave", () => {
  const backoff = parseBackoff("linear:1.5s,max=90s,jitter=0.1", DEFAULTS);

  assertEquals(parseBackoff(JSON.parse(JSON.stringify(backoff)), DEFAULTS), backoff);
});

Deno.test("parseBackoff() does not change the defaults it is given", () => {
  parseBackoff("fixed:10s,jitter=0.5", DEFAULTS);

  assertEquals(DEFAULTS.strategy, "exponential");
  assertEquals(DEFAULTS.jitter, 0);
});

Deno.test("parseBackoff() refuses values out of range and names the part", () => {
  const cases: [unknown, string][] = [
    [{ base: 0 }, "backoff.base"],
    [{ base: -2 }, "backoff.base"],
    [{ base: "two" }, "backoff.base"],
    [{ base: Infinity }, "backoff.base"],
    [{ delay: -1 }, "backoff.delay"],
    [{ max: 0 }, "backoff.max"],
    [{ max: "soon" }, "backoff.max"],
    [{ jitter: 1.1 }, "backoff.jitter"],
    [{ jitter: -0.1 }, "backoff.jitter"],
    [{ strategy: "random" }, "backoff.strategy"],
    [{ strategy: 3 }, "backoff.strategy"],
    ["exponential:x", "backoff.base"],
    ["exponential:", "backoff.base"],
    ["fixed:x", "backoff.delay"],
    ["fixed:10s,jitter=2", "backoff.jitter"],
  ];
  for (const [value, field] of cases) {
    const error = assertThrows(() => parseBackoff(value, DEFAULTS), InvalidValueError);
    assertEquals(error.field, field, JSON.stringify(value));
  }
});

Deno.test("parseBackoff() refuses text that it would have to guess at", () => {
  const refused = ["", "exponential:2:3", "fixed:1s,", "fixed:1s,max", "fixed:1s,delay=2s", "fixed,strategy=linear"];
  for (const value of [...refused, 5, [], true]) {
    assertThrows(() => parseBackoff(value, DEFAULTS), InvalidValueError, "expected exponential:2, linear:30s or fixed");
  }
});

Deno.test("parseBackoff() offers the nearest name of an unknown field or strategy", () => {
  assertThrows(() => parseBackoff({ jiter: 1 }, DEFAULTS), InvalidValueError, "did you mean jitter?");
  assertThrows(() => parseBackoff("fixed:1s,maxx=3", DEFAULTS), InvalidValueError, "did you mean max?");
  assertThrows(() => parseBackoff("exponental", DEFAULTS), InvalidValueError, "did you mean exponential?");
});
