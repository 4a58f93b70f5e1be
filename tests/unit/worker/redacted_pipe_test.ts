import { assertEquals } from "@std/assert";
import type { Redaction } from "../../../lib/core/redaction.ts";
import { LimitedStream } from "../../../lib/worker/limited_stream.ts";
import { type Matches, searchLines } from "../../../lib/core/pattern_stage.ts";
import type { Search } from "../../../lib/worker/pattern_search.ts";
import { type OpenPipe, RedactedPipe } from "../../../lib/worker/redacted_pipe.ts";
import { tempDirectory } from "../../support/temp_store.ts";

/** Searches in this process, after a while as another one would. */
const searchHere = ({ patterns }: Redaction): Search => ({
  find: (lines) => new Promise<Matches>((found) => setTimeout(() => found(searchLines(patterns, lines)), 1)),
  hurry() {},
});

/** What is kept of what a shell script prints. */
async function kept(script: string, redaction: Redaction, search = searchHere(redaction)): Promise<string> {
  await using temp = await tempDirectory();
  const stream = new LimitedStream(`${temp.path}/1-1.out`, { limitBytes: () => 10 * 1024 * 1024 });
  const pipe = new RedactedPipe(stream, redaction, { search });
  const command = new Deno.Command("sh", { args: ["-c", `exec >>"$0"\n${script}`, pipe.path] });
  assertEquals((await command.output()).code, 0);
  await pipe.close();
  await stream.settle();
  assertEquals([...Deno.readDirSync(temp.path)].filter(({ name }) => name.endsWith(".fifo")), []);
  return Deno.readTextFileSync(stream.path);
}

Deno.test("what is printed in pieces is looked at as a whole", async () => {
  const redaction = { words: ["hunter2"], patterns: [/key=\S+/gm] };
  assertEquals(
    await kept(
      "printf hun; sleep 0.05; printf ter2; sleep 0.05; echo ' key=1'; printf key; sleep 0.05; printf =2",
      redaction,
    ),
    "[redacted] [redacted]\n[redacted]",
  );
});

Deno.test("all that was printed before the end is kept, more than a pipe holds too", async () => {
  const expected = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
  assertEquals(await kept("seq 1 100000", { words: ["nothing of this"], patterns: [] }), expected);
});

Deno.test("a process that keeps the pipe open, and even goes on printing, does not keep it from ending", async () => {
  const script = "(trap '' PIPE; while echo more; do :; done) 2>/dev/null & echo done";
  const text = await kept(script, { words: ["secret"], patterns: [] });
  assertEquals(text.split("\n").filter((line) => line === "done"), ["done"]);
});

Deno.test("a process that reads what it prints, and the end of it, does not keep it from ending", async () => {
  await using temp = await tempDirectory();
  for (const [name, left] of [["and nothing more", ""], ["and goes on printing", "more\n".repeat(1_000)]] as const) {
    const stream = new LimitedStream(`${temp.path}/1-1.out`, { limitBytes: () => 10_000_000 });
    const printed = ["he", "re\n"];
    const robbed: OpenPipe = {
      read(buffer) {
        return new TextEncoder().encodeInto(printed.shift() ?? left, buffer).written;
      },
      write: () => true,
      close() {},
    };

    await new RedactedPipe(stream, { words: ["secret"], patterns: [] }, { open: () => robbed }).close();

    const text = Deno.readTextFileSync(stream.path);
    assertEquals([text.startsWith("here\n"), text.replaceAll("more\n", "")], [true, "here\n"], name);
    Deno.removeSync(stream.path);
  }
});

Deno.test("a search that fails hides what it was given, and the reading goes on", async () => {
  const search: Search = { find: () => Promise.reject(new RangeError("too much")), hurry() {} };
  const text = await kept("seq 1 100000", { words: [], patterns: [/x/gm] }, search);
  assertEquals(text.replaceAll("[redacted]\n", ""), "");
});

Deno.test("while patterns are searched for, nothing is lost and nothing changes places", async () => {
  const expected = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
  assertEquals(await kept("seq 1 100000", { words: [], patterns: [/not there/gm] }), expected);
  assertEquals(
    await kept("seq 1 100000; printf x42", { words: ["not there"], patterns: [/^.*9.*$/gm, /x\d+/gm] }),
    expected.replace(/^.*9.*$/gm, "[redacted]") + "[redacted]",
  );
});

Deno.test("a job that prints nothing has an empty file", async () => {
  assertEquals(await kept("true", { words: ["x"], patterns: [] }), "");
});

Deno.test("any number of pipes can be read at the same time", async () => {
  await using temp = await tempDirectory();
  const redaction = { words: ["hunter2"], patterns: [] };
  const pipes = Array.from({ length: 100 }, (_, index) => {
    const stream = new LimitedStream(`${temp.path}/${index}-1.out`, { limitBytes: () => 1_000_000 });
    return { stream, pipe: new RedactedPipe(stream, redaction) };
  });
  const script = 'for pipe; do seq 1 100 >>"$pipe"; echo hunter2 >>"$pipe"; done';
  const command = new Deno.Command("sh", { args: ["-c", script, "sh", ...pipes.map(({ pipe }) => pipe.path)] });
  assertEquals((await command.output()).code, 0);

  await Promise.all(pipes.map(({ pipe }) => pipe.close()));

  const expected = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join("") + "[redacted]\n";
  for (const { stream } of pipes) assertEquals(Deno.readTextFileSync(stream.path), expected);
});
