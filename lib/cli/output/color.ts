/**
 * Colour by meaning, not by name of a colour. Where colour is off (no
 * terminal, NO_COLOR, --no-color) every style gives the text back as it is.
 * @module
 */

import { blue, bold, cyan, dim, green, red, setColorEnabled, yellow } from "@std/fmt/colors";

/** Only the 8 colours that every terminal theme defines. */
const PAINTS = {
  heading: bold,
  strong: bold,
  dim,
  good: green,
  bad: red,
  warning: yellow,
  active: cyan,
  waiting: blue,
};

export type Style = keyof typeof PAINTS;

export type Styler = (style: Style, text: string) => string;

/** `const paint = stylerFor(context.color); paint("bad", "dead")`. */
export function stylerFor(color: boolean): Styler {
  if (!color) return (_, text) => text;
  // The library itself knows NO_COLOR only; `color` follows the option and the terminal, too.
  setColorEnabled(true);
  return (style, text) => text === "" ? text : PAINTS[style](text);
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
