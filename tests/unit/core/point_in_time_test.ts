import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { formatLocal, formatRelative, formatTime, parseTime } from "../../../lib/core/point_in_time.ts";

/** Local 2026-11-30 12:00 in Berlin. */
const NOW = Date.parse("2026-11-30T11:00:00Z");

function inTimeZone(zone: string, body: () => void): void {
  const before = Deno.env.get("TZ");
  Deno.env.set("TZ", zone);
  try {
    body();
  } finally {
    if (before === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", before);
  }
}

function inBerlin(text: string, now = NOW, allowPast = false): string {
  let time = NaN;
  inTimeZone("Europe/Berlin", () => time = parseTime(text, { now, allowPast }));
  return formatTime(time);
}

Deno.test("parseTime() adds a duration that follows a plus sign to now", () => {
  assertEquals(parseTime("+30s", { now: NOW }), NOW + 30_000);
  assertEquals(parseTime("+1h30m", { now: NOW }), NOW + 5_400_000);
  assertEquals(parseTime("+90", { now: NOW }), NOW + 90_000);
  assertEquals(parseTime("+0s", { now: NOW }), NOW);
});

Deno.test("parseTime() reads RFC 3339 with Z or an offset, with or without fractions", () => {
  const cases: [string, string][] = [
    ["2026-12-01T02:00:00Z", "2026-12-01T02:00:00.000Z"],
    ["2026-12-01t02:00:00z", "2026-12-01T02:00:00.000Z"],
    ["2026-12-01 02:00:00Z", "2026-12-01T02:00:00.000Z"],
    ["2026-12-01T02:00:00.539Z", "2026-12-01T02:00:00.539Z"],
    ["2026-12-01T02:00:00.5Z", "2026-12-01T02:00:00.500Z"],
    ["2026-12-01T02:00:00.123456789Z", "2026-12-01T02:00:00.123Z"],
    ["2026-12-01T02:00:00+05:30", "2026-11-30T20:30:00.000Z"],
    ["2026-12-01T02:00:00-0800", "2026-12-01T10:00:00.000Z"],
    ["2026-12-01T02:00Z", "2026-12-01T02:00:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ];
  for (const [text, expected] of cases) assertEquals(formatTime(parseTime(text, { now: NOW })), expected, text);
});

Deno.test("parseTime() takes a date and time without an offset as local time", () => {
  assertEquals(inBerlin("2026-12-01 02:00"), "2026-12-01T01:00:00.000Z");
  assertEquals(inBerlin("2026-12-01 02:00:30"), "2026-12-01T01:00:30.000Z");
  assertEquals(inBerlin("2026-12-01T02:00"), "2026-12-01T01:00:00.000Z");
  assertEquals(inBerlin("2027-07-01 02:00"), "2027-07-01T00:00:00.000Z");
});

Deno.test("parseTime() takes a date alone as its local midnight", () => {
  assertEquals(inBerlin("2026-12-01"), "2026-11-30T23:00:00.000Z");
});

Deno.test("parseTime() takes a time alone as the next one", () => {
  assertEquals(inBerlin("14:00"), "2026-11-30T13:00:00.000Z");
  assertEquals(inBerlin("2:00"), "2026-12-01T01:00:00.000Z");
  assertEquals(inBerlin("02:00:30"), "2026-12-01T01:00:30.000Z");
  assertEquals(inBerlin("12:00"), "2026-12-01T11:00:00.000Z");
});

Deno.test("parseTime() reads today and tomorrow with a time", () => {
  assertEquals(inBerlin("today 14:00"), "2026-11-30T13:00:00.000Z");
  assertEquals(inBerlin("tomorrow 02:00"), "2026-12-01T01:00:00.000Z");
  assertEquals(inBerlin("Tomorrow 14:00"), "2026-12-01T13:00:00.000Z");
});

Deno.test("parseTime() takes tomorrow alone as its midnight", () => {
  assertEquals(inBerlin("tomorrow"), "2026-11-30T23:00:00.000Z");
});

Deno.test("parseTime() counts tomorrow by the calendar when the clocks change", () => {
  const evening = Date.parse("2026-10-24T18:00:00Z");
  assertEquals(inBerlin("tomorrow 20:00", evening), "2026-10-25T19:00:00.000Z");
});

Deno.test("parseTime() moves a local time that daylight saving skips forward by the gap", () => {
  assertEquals(inBerlin("2027-03-28 02:30"), "2027-03-28T01:30:00.000Z");
});

Deno.test("parseTime() reads now", () => {
  assertEquals(parseTime("now", { now: NOW }), NOW);
});

Deno.test("parseTime() refuses dates and times that do not exist", () => {
  const refused = [
    "2026-02-30",
    "2027-02-29 02:00",
    "2026-13-01",
    "2026-00-10",
    "2026-12-00",
    "2026-04-31T00:00:00Z",
    "25:00",
    "24:00",
    "12:60",
    "12:00:60",
    "tomorrow 24:00",
    "2026-12-01T02:00:00+24:00",
    "2026-12-01T02:00:00+01:60",
    "0099-01-01",
  ];
  for (const text of refused) {
    assertThrows(() => parseTime(text, { now: NOW, allowPast: true }), InvalidValueError, "expected a time", text);
  }
});

Deno.test("parseTime() refuses what is not a time and says what is", () => {
  for (
    const value of ["", "soon", "2026", "12", "-30s", "12/01/2026", "2026-12-01Z", "yesterday 02:00", null, {}, []]
  ) {
    const error = assertThrows(() => parseTime(value, { now: NOW, field: "run_at" }), InvalidValueError);

    assertEquals(error.field, "run_at");
    assertMatch(error.message, /: expected a time such as \+30s, .* or tomorrow 02:00$/);
  }
});

Deno.test("parseTime() refuses a number, which may be seconds or milliseconds", () => {
  for (const value of [1_796_083_200, 1_796_083_200_000, "1796083200"]) {
    assertThrows(() => parseTime(value, { now: NOW }), InvalidValueError, "expected a time such as");
  }
});

Deno.test("parseTime() names the field when the duration after the plus sign is wrong", () => {
  assertThrows(
    () => parseTime("+5x", { now: NOW, field: "run_at" }),
    InvalidValueError,
    'Invalid duration in run_at "5x": expected a duration',
  );
});

Deno.test("parseTime() refuses a time more than 60 s in the past and points to --allow-past", () => {
  const error = assertThrows(
    () => parseTime("2026-11-30T10:58:59.999Z", { now: NOW, field: "run_at" }),
    InvalidValueError,
    "it is in the past (2026-11-30T10:58:59.999Z)",
  );

  assertMatch(error.hint ?? "", /--allow-past/);
});

Deno.test("parseTime() forgives a time up to 60 s in the past", () => {
  assertEquals(parseTime("2026-11-30T10:59:00Z", { now: NOW }), NOW - 60_000);
});

Deno.test("parseTime() takes any past time when that is allowed", () => {
  assertEquals(inBerlin("today 02:00", NOW, true), "2026-11-30T01:00:00.000Z");
  assertEquals(inBerlin("1999-12-31T23:59:59Z", NOW, true), "1999-12-31T23:59:59.000Z");
});

Deno.test("formatTime() gives RFC 3339 in UTC with milliseconds, which parseTime() reads back", () => {
  assertEquals(formatTime(NOW + 7), "2026-11-30T11:00:00.007Z");
  assertEquals(parseTime(formatTime(NOW + 7), { now: NOW }), NOW + 7);
});

Deno.test("formatLocal() shows the host's local time, which parseTime() reads back", () => {
  inTimeZone("Europe/Berlin", () => {
    const text = formatLocal(Date.parse("2026-12-01T01:00:00Z"));

    assertEquals(text, "2026-12-01 02:00:00");
    assertEquals(formatTime(parseTime(text, { now: NOW })), "2026-12-01T01:00:00.000Z");
  });
});

Deno.test("formatRelative() says how far away a time is", () => {
  assertEquals(formatRelative(NOW + 125_000, NOW), "in 2m 5s");
  assertEquals(formatRelative(NOW - 125_000, NOW), "2m 5s ago");
  assertEquals(formatRelative(NOW + 499, NOW), "now");
});
