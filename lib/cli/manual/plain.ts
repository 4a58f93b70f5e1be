/**
 * Manual page -> text for a terminal, where there is no man(1).
 * @module
 */
import { type Styler, stylerFor } from "../output/color.ts";
import { definitions, wrap } from "../output/wrap.ts";
import { brokenCommand } from "./break_lines.ts";
import type { Block, ManualPage, Term } from "./document.ts";

export interface PlainOptions {
  /** Columns of the terminal. */
  readonly columns: number;
  readonly color: boolean;
}

/** As man(1) indents. */
const INDENT = 7;
/** Beyond this, lines are hard to read however wide the terminal is. */
const MAX_COLUMNS = 100;
/** Names longer than this get a line of their own. */
const MAX_TERM_COLUMNS = 20;

export function toPlain(page: ManualPage, options: PlainOptions): string {
  const paint = stylerFor(options.color);
  const columns = Math.min(options.columns, MAX_COLUMNS);
  const all: readonly Block[] = [
    { kind: "section", title: "Name" },
    { kind: "text", text: `${[page.name, ...page.otherNames].join(", ")} - ${page.summary}` },
    { kind: "section", title: "Synopsis" },
    { kind: "usage", lines: page.synopsis },
    // The synopsis has them all.
    ...page.blocks.filter((block) => block.kind !== "usage"),
    { kind: "section", title: "See also" },
    { kind: "text", text: page.seeAlso.map((name) => `${name}(1)`).join(", ") },
  ];
  return all.map((block) => blockLines(block, columns, paint).join("\n") + gapBehind(block)).join("").trimEnd() + "\n";
}

function gapBehind({ kind }: Block): string {
  return kind === "section" || kind === "part" ? "\n" : "\n\n";
}

function blockLines(block: Block, columns: number, paint: Styler): readonly string[] {
  switch (block.kind) {
    case "section":
      return [paint("heading", block.title.toUpperCase())];
    case "part":
      return [`   ${paint("heading", block.title)}`];
    case "text":
      return wrap(block.text.replaceAll("`", ""), columns - INDENT).map(indented);
    case "usage":
      return block.lines.map((line) => indented(`queuectl ${line}`));
    case "terms":
      return [
        ...block.head === "Exit code" ? [indented("Exit codes:")] : [],
        ...definitions(block.terms.map((term) => [headOf(term), term.text.replaceAll("`", "")]), {
          columns,
          indent: INDENT,
          maxTerm: MAX_TERM_COLUMNS,
        }),
      ];
    case "examples":
      return [
        indented("Examples:"),
        ...block.examples.flatMap(({ line, about }, i) => [
          ...i === 0 ? [] : [""],
          indented(`    ${paint("dim", `# ${about}`)}`),
          ...brokenCommand(line).map((piece) => indented(`    ${piece}`)),
        ]),
      ];
  }
}

function headOf({ names, value }: Term): string {
  return [...names.length === 0 ? [] : [names.join(", ")], ...value === undefined ? [] : [value]].join(" ");
}

function indented(line: string): string {
  return " ".repeat(INDENT) + line;
}
