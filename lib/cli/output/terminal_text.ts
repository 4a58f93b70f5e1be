/**
 * The door to the terminal: text of ours and of jobs, as it may be written.
 * Whatever would drive a terminal is made visible here, even where the part of
 * the program that made the text forgot about it.
 *
 * What has to come out byte for byte (the output of a job, a script, the
 * pictures of `--watch`) goes past this door, by `context.writeBytes`.
 * @module
 */
import { visibleText } from "../../core/visible_text.ts";

/** Exactly what `color.ts` makes: bold, dim, five colours, and their ends. */
// deno-lint-ignore no-control-regex -- ESC is what it looks for
const STYLE = /(\x1b\[(?:1|2|22|3[12346]|39)m)/;

export interface ShownTextOptions {
  /** Colour is on: the styles of `color.ts` stay. */
  readonly hasStyles: boolean;
}

/** Text with lines of its own. */
export function shownText(text: string, { hasStyles }: ShownTextOptions): string {
  if (!hasStyles || !text.includes("\x1b")) return visibleText(text, { keepNewlines: true });
  // Every second piece is a style.
  return text.split(STYLE).map((piece, i) => i % 2 === 1 ? piece : visibleText(piece, { keepNewlines: true })).join("");
}

/** One message: it stays one line, so that nothing in it can look like a second message. */
export function shownLine(line: string): string {
  return visibleText(line);
}
