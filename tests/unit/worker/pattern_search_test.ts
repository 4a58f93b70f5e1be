/** What happens to lines in which a search takes too long. */
import { assert, assertEquals } from "@std/assert";
import { endOfLine, searchLines } from "../../../lib/core/pattern_stage.ts";
import { type Answer, PatternProcess, type Request, type Searcher } from "../../../lib/worker/pattern_process.ts";
import { PatternSearch } from "../../../lib/worker/pattern_search.ts";

const PATTERNS = [/key=\S+/gm];

/** A process that finds what there is, and dies at a line with this word. */
class PuppetSearcher implements Searcher {
  static started = 0;
  readonly #answers: Answer[] = [];

  constructor(readonly deadly: string) {
    PuppetSearcher.started++;
  }

  isReady = () => Promise.resolve(true);

  send({ patterns, text, isCareful }: Request): Promise<void> {
    const all = patterns.map(([source, flags]) => new RegExp(source, flags));
    if (!isCareful && !text.includes(this.deadly)) this.#answers.push({ found: searchLines(all, text) });
    let found: number[] = [];
    for (let line = 0; isCareful && line < text.length; line = endOfLine(text, line) + 1) {
      this.#answers.push({ found, line });
      const begin = line;
      const content = text.slice(line, endOfLine(text, line));
      if (content.includes(this.deadly)) return Promise.resolve();
      found = searchLines(all, content).map((place) => begin + place);
    }
    if (isCareful) this.#answers.push({ found });
    return Promise.resolve();
  }

  receive = () => Promise.resolve(this.#answers.shift());
  spentMs = () => 0;
  kill() {}
}

/** The lines with `X` for each character that is hidden. */
function shown(lines: string, found: readonly number[]): string {
  const characters = [...lines];
  for (let at = 0; at < found.length; at += 2) characters.fill("X", found[at], found[at + 1]);
  return characters.join("");
}

Deno.test("a bad line is hidden alone; the lines around it are searched", async () => {
  const search = new PatternSearch(PATTERNS, new PatternProcess(() => new PuppetSearcher("bad")));
  const lines = "a\n\nkey=1 x\nbad line\nkey=22\ny";

  assertEquals(shown(lines, await search.find(lines)), "a\n\nXXXXX x\nXXXXXXXX\nXXXXXX\ny");
  assertEquals(shown("bad", await search.find("bad")), "XXX");
  assertEquals(shown("key=1\n", await search.find("key=1\n")), "XXXXX\n");
});

Deno.test("a stream of bad lines is hidden unseen when its budget is spent, and another stream is not", async () => {
  PuppetSearcher.started = 0;
  const process = new PatternProcess(() => new PuppetSearcher("bad"));
  const search = new PatternSearch(PATTERNS, process);
  const other = new PatternSearch(PATTERNS, process);
  const lines = "bad\n".repeat(10_000) + "good";

  assertEquals(shown(lines, await search.find(lines)), "XXX\n".repeat(10_000) + "XXXX");
  assert(PuppetSearcher.started < 20, `${PuppetSearcher.started} were started`);
  assertEquals(shown("good key=1", await other.find("good key=1")), "good XXXXX");
});

Deno.test("after the end of a job, what other streams waste counts, for somebody waits", async () => {
  const process = new PatternProcess(() => new PuppetSearcher("bad"));
  const search = new PatternSearch(PATTERNS, process);
  search.hurry();
  assertEquals(shown("good", await search.find("good")), "good");

  await new PatternSearch(PATTERNS, process).find("bad\n".repeat(100));

  assertEquals(shown("good\nx", await search.find("good\nx")), "XXXX\nX");
});

Deno.test("without a process everything is hidden, and starting one is not tried for ever", async () => {
  let tries = 0;
  const process = new PatternProcess(() => {
    tries++;
    throw new Error("no process to be had");
  });
  process.prepare();
  const lines = "line\n".repeat(1_000);

  assertEquals(shown(lines, await new PatternSearch(PATTERNS, process).find(lines)), "XXXX\n".repeat(1_000));
  assert(tries < 20, `${tries} tries`);
});
