/**
 * Manual page -> roff for man(1), with the macros of man(7) that groff and
 * mandoc both know.
 *
 * The page carries the version and no date: the same version gives the same
 * bytes.
 * @module
 */
import { wrap } from "../output/wrap.ts";
import { brokenCommand, brokenUsage } from "./break_lines.ts";
import { type Block, type ManualPage, PAGE_REFERENCE, type Term } from "./document.ts";

/** In every file that `man install` writes; `man uninstall` removes no other file. */
export const OWN_NOTE = '.\\" Written by `queuectl man install`; `queuectl man uninstall` removes it.';

/** Lines of the source, for people who read it; roff fills them anew. */
const SOURCE_COLUMNS = 76;
/** Indent of the text in a compact list: as wide as its widest name, within these. */
const MAX_TERM_INDENT = 20;

export function toRoff(page: ManualPage, version: string): string {
  const title = page.name.toUpperCase();
  return [
    OWN_NOTE,
    `.TH "${escape(title)}" "1" "" "queuectl ${escape(version)}" "queuectl manual"`,
    // No hyphenation, and ragged: what is typed stays in one piece.
    ".nh",
    ".ad l",
    ".SH NAME",
    `${[page.name, ...page.otherNames].map(escape).join(", ")} \\- ${escape(page.summary)}`,
    ".SH SYNOPSIS",
    ...verbatim(page.synopsis.flatMap((line) => brokenUsage(`queuectl ${line}`))),
    ...withoutNeedlessBreaks(page.blocks.flatMap(blockLines)),
    ".SH SEE ALSO",
    ...filled(`${page.seeAlso.map((name) => `${name}(1)`).join(", ")}`),
  ].join("\n") + "\n";
}

/** A file for another name of a page. */
export function referenceTo(page: ManualPage): string {
  return `.so man1/${page.name}.1\n${OWN_NOTE}\n`;
}

/** A heading begins a paragraph by itself; mandoc complains of a second beginning. */
function withoutNeedlessBreaks(lines: readonly string[]): readonly string[] {
  return lines.filter((line, i) => line !== ".PP" || !/^\.S[HS] /.test(lines[i - 1] ?? ""));
}

function blockLines(block: Block): readonly string[] {
  switch (block.kind) {
    case "section":
      return [`.SH ${macroArgument(block.title.toUpperCase())}`];
    case "part":
      return [`.SS ${macroArgument(block.title)}`];
    case "text":
      return [".PP", ...filled(block.text)];
    case "usage":
      // The synopsis has them all.
      return [];
    case "terms":
      if (block.head === "Exit code") return [".PP", "Exit codes:", ".PD 0", ...compactTerms(block.terms)];
      return block.isCompact ? compactTerms(block.terms) : block.terms.flatMap(termLines);
    case "examples":
      return [
        ".PP",
        "Examples:",
        ...block.examples.flatMap(({ line, about }, i) => [
          ...i === 0 ? [] : [".PP"],
          ".RS 4",
          ...verbatim([`# ${about}`, ...brokenCommand(line)]),
          ".RE",
        ]),
      ];
  }
}

function termLines(term: Term): readonly string[] {
  return [".TP", termHead(term), ...filled(term.text)];
}

/** Without empty lines between them, all texts in one column. */
function compactTerms(terms: readonly Term[]): readonly string[] {
  const widest = Math.max(...terms.map((term) => [...term.names, term.value ?? ""].join(" ").length));
  const indent = Math.min(MAX_TERM_INDENT, widest + 2);
  const [first, ...others] = terms.map((term) => [termHead(term), ...filled(term.text)]);
  if (first === undefined) return [];
  return [`.TP ${indent}`, ...first, ".PD 0", ...others.flatMap((lines) => [`.TP ${indent}`, ...lines]), ".PD"];
}

function termHead({ names, value }: Term): string {
  const typed = names.map((name) => `\\fB${escape(name)}\\fR`).join(", ");
  const replaced = value === undefined ? [] : [`\\fI${escape(value)}\\fR`];
  return guarded([...typed === "" ? [] : [typed], ...replaced].join(" "));
}

/** Text that roff breaks into lines: a sentence to a line, so that all sentences are spaced alike. */
function filled(text: string): readonly string[] {
  return text.split(/(?<=[.!?]) (?=[A-Z`])/).flatMap((sentence) => {
    const lines = wrap(sentence, SOURCE_COLUMNS);
    return lines.map((line, i) => {
      // At the end of a source line roff takes a full stop for the end of a sentence.
      const isInside = i < lines.length - 1 && /[.!?:]$/.test(line);
      return guarded(inline(line)) + (isInside ? "\\&" : "");
    });
  });
}

function verbatim(lines: readonly string[]): readonly string[] {
  return [".nf", ...lines.map((line) => guarded(escape(line))), ".fi"];
}

/** Words between backquotes and references to pages in bold. */
function inline(text: string): string {
  return text.split("`").map((piece, i) => {
    if (i % 2 === 1) return `\\fB${escape(piece)}\\fR`;
    return piece.split(PAGE_REFERENCE).map((part, j) => j % 2 === 1 ? `\\fB${escape(part)}\\fR(1)` : escape(part)).join(
      "",
    );
  }).join("");
}

/** The characters that roff would change, as themselves. `-` would become a hyphen that no shell understands. */
const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

export function escape(text: string): string {
  return text.replace(/[\\'"`^~-]/g, (character) => SPECIAL[character] as string);
}

/** A line that begins with a period or a quote would be a request. */
function guarded(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function macroArgument(text: string): string {
  return `"${escape(text)}"`;
}
