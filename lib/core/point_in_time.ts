/**
 * Points in time as people write them: `+30s`, RFC 3339, `2026-12-01 02:00`,
 * `02:00`, `tomorrow 02:00`.
 *
 * Inside the program a time is milliseconds since 1970. What is written without
 * an offset is local time of the host; a local time that daylight saving skips
 * is moved forward by the gap.
 * @module
 */
import { formatDuration, parseDuration } from "./duration.ts";
import { InvalidValueError } from "./errors.ts";

export interface ParseTimeOptions {
  now: number;
  /** Named in the message. Default `time`. */
  field?: string;
  /** Take a time that has passed. Default false. */
  allowPast?: boolean;
}

/** A time this little in the past is "now" that took a moment to arrive: a slow script, clocks a little apart. */
const PAST_TOLERANCE_MS = 60_000;

const EXPECTED = "expected a time such as +30s, 2026-12-01T02:00:00Z, 2026-12-01 02:00, 02:00 or tomorrow 02:00";

const DATE = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`;
const TIME_OF_DAY = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?`;
const OFFSET = String.raw`(?<offset>z|[+-]\d\d:?\d\d)`;
const DATE_AND_TIME = new RegExp(`^${DATE}(?:[t ] *${TIME_OF_DAY} *${OFFSET}?)?$`, "i");
const DAY_AND_TIME = new RegExp(`^(?:(?<word>today|tomorrow)(?: +${TIME_OF_DAY})?)$`, "i");
const TIME_ALONE = new RegExp(`^${TIME_OF_DAY}$`);

/**
 * Reads a point in time and gives it in milliseconds since 1970.
 *
 * A JSON number is refused: seconds and milliseconds since 1970 look alike, and
 * taking one for the other puts a job off by fifty thousand years or runs it now.
 * @throws {InvalidValueError} when it is not a time, does not exist, or is more than 60 s in the past.
 */
export function parseTime(value: unknown, options: ParseTimeOptions): number {
  const { now, field = "time", allowPast = false } = options;
  const time = typeof value === "string" ? readTime(value.trim(), now, field) : undefined;
  if (time === undefined) throw new InvalidValueError(field, value, EXPECTED);
  if (!allowPast && time < now - PAST_TOLERANCE_MS) {
    throw new InvalidValueError(field, value, `it is in the past (${formatTime(time)})`, {
      hint: "--allow-past where that is meant",
    });
  }
  return time;
}

function readTime(text: string, now: number, field: string): number | undefined {
  if (text.toLowerCase() === "now") return now;
  if (text.startsWith("+")) return now + parseDuration(text.slice(1), `duration in ${field}`);

  const dated = DATE_AND_TIME.exec(text)?.groups;
  if (dated !== undefined) return readDated(dated);

  const named = DAY_AND_TIME.exec(text)?.groups;
  if (named !== undefined) return onDay(now, named.word?.toLowerCase() === "tomorrow" ? 1 : 0, named);

  const alone = TIME_ALONE.exec(text)?.groups;
  if (alone === undefined) return undefined;
  const today = onDay(now, 0, alone);
  return today === undefined || today > now ? today : onDay(now, 1, alone);
}

type Groups = Readonly<Record<string, string | undefined>>;

function readDated(groups: Groups): number | undefined {
  const [year, month, day] = [Number(groups.year), Number(groups.month), Number(groups.day)];
  const clock = clockOf(groups);
  if (clock === undefined || !isRealDate(year, month, day)) return undefined;
  if (groups.offset === undefined) return new Date(year, month - 1, day, ...clock).getTime();
  const offsetMs = readOffset(groups.offset);
  return offsetMs === undefined ? undefined : Date.UTC(year, month - 1, day, ...clock) - offsetMs;
}

/** The time of day on the local day that is `daysAhead` of now. */
function onDay(now: number, daysAhead: number, groups: Groups): number | undefined {
  const clock = clockOf(groups);
  const today = new Date(now);
  return clock && new Date(today.getFullYear(), today.getMonth(), today.getDate() + daysAhead, ...clock).getTime();
}

/** Hour, minute, second and milliseconds, midnight when not given; undefined when no clock shows them. */
function clockOf(groups: Groups): [number, number, number, number] | undefined {
  const [hour, minute, second] = [Number(groups.hour ?? 0), Number(groups.minute ?? 0), Number(groups.second ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return [hour, minute, second, Number((groups.fraction ?? "").padEnd(3, "0").slice(0, 3))];
}

/** `Date` would silently make 2 March of 30 February, and 1999 of the year 99. */
function isRealDate(year: number, month: number, day: number): boolean {
  if (year < 1970) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function readOffset(offset: string): number | undefined {
  if (offset.toLowerCase() === "z") return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** RFC 3339 in UTC with milliseconds: the one form in which times leave the program as data. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Local time for people: `2026-12-01 02:00:00`. */
export function formatLocal(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return `${day.map(twoDigits).join("-")} ${clock.map(twoDigits).join(":")}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}

/** How far a time is from now, for people: `in 3h 12m`, `5m ago`, `now`. */
export function formatRelative(ms: number, now: number): string {
  if (Math.abs(ms - now) < 500) return "now";
  return ms > now ? `in ${formatDuration(ms - now)}` : `${formatDuration(now - ms)} ago`;
}
