/** No link in the documentation leads nowhere. */
import { assert, assertEquals } from "@std/assert";
import { anchorOf } from "../../lib/cli/manual/markdown.ts";

const ROOT = new URL("../../", import.meta.url);

/** Paths from the root of the project. */
const DOCUMENTS: readonly string[] = [...await markdownIn(""), ...await markdownIn("docs/")];

interface Link {
  readonly from: string;
  /** As written: `../README.md#files`. */
  readonly target: string;
}

Deno.test("every relative link of the README and of docs/ leads to a file, and to a heading in it", () => {
  const links = DOCUMENTS.flatMap(linksIn);
  const broken = links.filter((link) => !isReachable(link)).map(({ from, target }) => `${from}: ${target}`);

  assertEquals(broken, []);
  assert(links.length > 100, `only ${links.length} links were found`);
});

Deno.test("a link to a missing file or to a missing heading is found", () => {
  const isGood = (target: string) => isReachable({ from: "docs/recovery.md", target });

  assertEquals(["../README.md", "#the-disk-is-full", "../README.md#concepts", "reference"].map(isGood), [
    true,
    true,
    true,
    true,
  ]);
  assertEquals(["README.md", "#the-disk-is-empty", "../README.md#job-options"].map(isGood), [false, false, false]);
});

function isReachable({ from, target }: Link): boolean {
  const [path = "", anchor] = target.split("#", 2);
  const file = new URL(
    decodeURIComponent(path === "" ? from.slice(from.lastIndexOf("/") + 1) : path),
    new URL(from, ROOT),
  );
  if (!isThere(file)) return false;
  return anchor === undefined || anchorsOf(Deno.readTextFileSync(file)).has(anchor);
}

/** Links outside code, but not those to other sites. */
function linksIn(from: string): readonly Link[] {
  const text = withoutCode(Deno.readTextFileSync(new URL(from, ROOT)));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ from, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** As GitHub makes them: a heading that comes again gets a number. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = withoutFences(markdown).matchAll(/^#{1,6} +(.*?) *$/gm);
  return new Set([...headings].map(([, heading = ""]) => {
    const anchor = anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  }));
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replace(/`[^`\n]*`/g, "code");
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^```.*?^```/gms, "");
}

async function markdownIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(`./${folder}`, ROOT))) {
    if (name.endsWith(".md")) found.push(folder + name);
    else if (isDirectory && folder !== "") found.push(...await markdownIn(`${folder}${name}/`));
  }
  return found.sort();
}

function isThere(url: URL): boolean {
  try {
    Deno.statSync(url);
    return true;
  } catch {
    return false;
  }
}
