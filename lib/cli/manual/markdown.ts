/**
 * Manual page -> Markdown for docs/reference. Each page is a file of its own;
 * what `queuectl(1)` tells of all commands is in the index and beside it.
 * @module
 */
import { type Block, type ManualPage, PAGE_REFERENCE, type Term } from "./document.ts";

/** The index of docs/reference, in place of `queuectl(1)`. */
const INDEX = "README.md";

/** `queuectl-worker` -> `worker.md`. */
export function referenceFileOf(pageName: string): string {
  return pageName === "queuectl" ? INDEX : `${pageName.replace(/^queuectl-/, "")}.md`;
}

/** What GitHub makes of a heading: the part behind `#` of a link to it. */
export function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}

/** A family of commands. */
export function toMarkdown(page: ManualPage): string {
  const title = [page.name, ...page.otherNames].map((name) => `\`${name.replace("-", " ")}\``).join(", ");
  return [
    `# ${title}`,
    `${page.summary.charAt(0).toUpperCase()}${page.summary.slice(1)}. The same page on a terminal: ` +
    `\`queuectl man ${page.name.replace(/^queuectl-/, "")}\`.`,
    ...page.blocks.map(blockText),
    `See also: ${page.seeAlso.map((name) => linked(`${name}(1)`)).join(", ")}.`,
  ].join("\n\n") + "\n";
}

/** One section of a page, without its heading. */
export function sectionText(page: ManualPage, title: string): string {
  const start = page.blocks.findIndex((block) => block.kind === "section" && block.title === title);
  if (start < 0) throw new Error(`${page.name} has no section "${title}"`);
  const length = page.blocks.slice(start + 1).findIndex((block) => block.kind === "section");
  const blocks = page.blocks.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  // In a file of its own the parts of a section are one level higher.
  return blocks.map((block) => block.kind === "part" ? `## ${block.title}` : blockText(block)).join("\n\n");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "section":
      return `## ${block.title}`;
    case "part":
      return `### ${block.isTyped ? code(block.title) : block.title}`;
    case "text":
      return linked(block.text);
    case "usage":
      return fenced(block.lines.map((line) => `queuectl ${line}`).join("\n"));
    case "terms":
      return markdownTable([block.head, ""], block.terms.map((term) => [code(headOf(term)), cell(linked(term.text))]));
    case "examples":
      return fenced(block.examples.map(({ line, about }) => `# ${about}\n${line}`).join("\n\n"));
  }
}

function headOf({ names, value }: Term): string {
  return [...names.length === 0 ? [] : [names.join(", ")], ...value === undefined ? [] : [value]].join(" ");
}

/** References to pages become links between the files, that to the job options one to their section. */
function linked(text: string): string {
  return text.replace(/job options of (queuectl-[a-z]+)\(1\)/g, (_, name: string) => {
    return `[job options](${referenceFileOf(name)}#${anchorOf("Job options")})`;
  }).replace(PAGE_REFERENCE, (_, name: string) => {
    return `[\`${name.replace("-", " ")}\`](${referenceFileOf(name)})`;
  });
}

function fenced(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(value: string): string {
  return `\`${cell(value)}\``;
}

/** A bar would end the cell. */
export function cell(value: string): string {
  return value.replaceAll("|", "\\|");
}
