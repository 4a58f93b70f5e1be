import { assertEquals, assertThrows } from "@std/assert";
import { formatDuration, formatDurationExact, MAX_DURATION_MS, parseDuration } from "../../../lib/core/duration.ts";
import { InvalidValueError } from "../../../lib/core/errors.ts";

const DAY = 86_400_000;

Deno.test("parseDuration() reads every unit", () => {
  const cases: [string, number][] = [
    ["500ms", 500],
    ["90s", 90_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["1d", DAY],
    ["1w", 7 * DAY],
  ];
  for (const [text, ms] of cases) assertEquals(parseDuration(text), ms, text);
});

Deno.test("parseDuration() adds up compounds, with or without blanks", () => {
  assertEquals(parseDuration("1h30m"), 5_400_000);
  assertEquals(parseDuration("1h 30m"), 5_400_000);
  assertEquals(parseDuration("1w2d3h4m5s6ms"), 9 * DAY + 3 * 3_600_000 + 4 * 60_000 + 5_006);
});

Deno.test("parseDuration() reads decimals", () => {
  assertEquals(parseDuration("1.5h"), 5_400_000);
  assertEquals(parseDuration(".5s"), 500);
  assertEquals(parseDuration("0.1s"), 100);
});

Deno.test("parseDuration() takes a bare number for seconds, as a number and as text", () => {
  assertEquals(parseDuration(90), 90_000);
  assertEquals(parseDuration(0.25), 250);
  assertEquals(parseDuration("90"), 90_000);
  assertEquals(parseDuration(" 1.5 "), 1_500);
});

Deno.test("parseDuration() accepts zero", () => {
  for (const zero of [0, "0", "0s", "0m", -0]) assertEquals(Object.is(parseDuration(zero), 0), true);
});

Deno.test("parseDuration() never rounds a limit down to none", () => {
  assertEquals(parseDuration("0.1ms"), 1);
  assertEquals(parseDuration(0.0001), 1);
});

Deno.test("parseDuration() refuses what is not a duration", () => {
  const refused: unknown[] = [
    "",
    " ",
    "abc",
    "-5s",
    -1,
    NaN,
    "5x",
    "5M",
    "1h30",
    "h",
    "1e3",
    "5.",
    "1,5h",
    null,
    undefined,
    true,
    [],
    {},
    "5m!",
    "+5s",
  ];
  for (const value of refused) {
    const error = assertThrows(() => parseDuration(value, "timeout"), InvalidValueError);

    assertEquals(error.field, "timeout");
    assertEquals(error.message.endsWith(": expected a duration such as 90s, 5m or 1h30m"), true, error.message);
  }
});

Deno.test("parseDuration() refuses units that repeat or are out of order", () => {
  for (const text of ["5m5m", "30m1h", "1s1000ms1s"]) assertThrows(() => parseDuration(text), InvalidValueError);
});

Deno.test("parseDuration() refuses more than 100 years", () => {
  assertEquals(parseDuration("36525d"), MAX_DURATION_MS);
  for (const value of ["36525d1s", 1e300, Infinity, "9".repeat(400)]) {
    assertThrows(() => parseDuration(value), InvalidValueError, "expected a duration of at most 100 years");
  }
});

Deno.test("formatDuration() uses at most two units", () => {
  const cases: [number, string][] = [
    [0, "0s"],
    [1, "1ms"],
    [450, "450ms"],
    [999, "999ms"],
    [1_000, "1s"],
    [1_500, "1.5s"],
    [12_340, "12.3s"],
    [60_000, "1m"],
    [125_000, "2m 5s"],
    [3_600_000, "1h"],
    [3 * 3_600_000 + 12 * 60_000 + 5_000, "3h 12m"],
    [DAY, "1d"],
    [4 * DAY + 2 * 3_600_000 + 60_000, "4d 2h"],
    [400 * DAY, "400d"],
  ];
  for (const [ms, text] of cases) assertEquals(formatDuration(ms), text);
});

Deno.test("formatDuration() rounds up into the next unit and never prints 60s, 60m or 24h", () => {
  assertEquals(formatDuration(999.6), "1s");
  assertEquals(formatDuration(59_960), "1m");
  assertEquals(formatDuration(3_599_700), "1h");
  assertEquals(formatDuration(DAY - 1), "1d");
  assertEquals(formatDuration(2 * DAY - 1), "2d");
});

Deno.test("formatDuration() shows a negative duration with a sign", () => {
  assertEquals(formatDuration(-5_000), "-5s");
});

Deno.test("formatDurationExact() gives what parseDuration() reads back unchanged", () => {
  const cases: [number, string][] = [
    [0, "0s"],
    [450, "450ms"],
    [1_500, "1.5s"],
    [61_001, "1m1.001s"],
    [5_400_000, "1h30m"],
    [7 * DAY, "7d"],
    [90 * DAY + 1, "90d0.001s"],
    [MAX_DURATION_MS, "36525d"],
  ];
  for (const [ms, text] of cases) {
    assertEquals(formatDurationExact(ms), text);
    assertEquals(parseDuration(text), ms);
  }
});

Deno.test("formatDurationExact() survives the way there and back for every kind of size", () => {
  for (let ms = 1; ms < MAX_DURATION_MS; ms = ms * 3 + 7) assertEquals(parseDuration(formatDurationExact(ms)), ms);
});
