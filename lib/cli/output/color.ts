/**
 * Colour by meaning, not by name of a colour. Where colour is off (no
 * terminal, NO_COLOR, --no-color) every style gives the text back as it is.
 * @module
 */

/** SGR codes. Only the 8 colours that every terminal theme defines. */
const CODES = {
  heading: "1",
  strong: "1",
  dim: "2",
  good: "32",
  bad: "31",
  warning: "33",
  active: "36",
  waiting: "34",
} as const;

export type Style = keyof typeof CODES;

export type Styler = (style: Style, text: string) => string;

/** `const paint = stylerFor(context.color); paint("bad", "dead")`. */
export function stylerFor(color: boolean): Styler {
  return color ? (style, text) => text === "" ? text : `\x1b[${CODES[style]}m${text}\x1b[0m` : (_, text) => text;
}

/** The style that a job state, a run's outcome or a worker's state is shown in. */
export function styleOfState(state: string): Style {
  switch (state) {
    case "completed":
    case "succeeded":
      return "good";
    case "dead":
    case "lost":
    case "killed":
    case "timed_out":
      return "bad";
    case "failed":
    case "late":
    case "not_started":
      return "warning";
    case "processing":
    case "running":
    case "busy":
      return "active";
    case "pending":
    case "scheduled":
    case "blocked":
      return "waiting";
    default:
      return "dim";
  }
}
