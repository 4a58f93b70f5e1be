import { assertEquals } from "@std/assert";
import type { Format } from "../../../../lib/cli/context.ts";
import { type ListColumn, printList } from "../../../../lib/cli/output/format_list.ts";

interface Letter {
  id: string;
  pages: number;
  text: string | null;
}

const COLUMNS: readonly ListColumn<Letter>[] = [
  { header: "ID", value: (letter) => letter.id, style: () => "good" },
  { header: "PAGES", align: "right", value: (letter) => letter.pages },
  { header: "TEXT", canShrink: true, value: (letter) => letter.text },
];

const LETTERS: readonly Letter[] = [
  { id: "a", pages: 3, text: "Dear all, it has been a long time" },
  { id: "letter-2", pages: 12, text: null },
];

interface Terminal {
  format?: Format;
  color?: boolean;
  columns?: number;
}

async function printed(letters: readonly Letter[], { format = "table", color = false, columns }: Terminal = {}) {
  let out = "";
  let notes = "";
  await printList(
    {
      format,
      color,
      isTerminal: columns !== undefined,
      columns: columns ?? 80,
      write: (text) => out += text,
      note: (line) => notes += line,
    },
    letters,
    { columns: COLUMNS, whenEmpty: "No letters" },
  );
  return { out, notes };
}

Deno.test("a table is aligned, numbers to the right, and shows - for nothing", async () => {
  assertEquals(
    (await printed(LETTERS)).out,
    [
      "ID        PAGES  TEXT",
      "a             3  Dear all, it has been a long time",
      "letter-2     12  -",
      "",
    ].join("\n"),
  );
});

Deno.test("a table is cut to the terminal, but not in a pipe", async () => {
  assertEquals(
    (await printed(LETTERS, { columns: 30 })).out,
    [
      "ID        PAGES  TEXT",
      "a             3  Dear all, it…",
      "letter-2     12  -",
      "",
    ].join("\n"),
  );
});

Deno.test("wide characters keep the columns aligned", async () => {
  const { out } = await printed([{ id: "日本", pages: 1, text: "é" }, { id: "abcd", pages: 2, text: "x" }]);

  assertEquals(out, "ID    PAGES  TEXT\n日本      1  é\nabcd      2  x\n");
});

Deno.test("control characters of the data never reach the terminal", async () => {
  const { out } = await printed([{ id: "\x1b[2J", pages: 1, text: "two\nlines" }]);

  assertEquals(out, "ID       PAGES  TEXT\n\\x1b[2J      1  two\\nlines\n");
});

Deno.test("colour does not count for the width", async () => {
  const { out } = await printed([{ id: "a", pages: 1, text: "x" }], { color: true });

  assertEquals(out.split("\n")[1], "\x1b[32ma\x1b[39m       1  x");
});

Deno.test("an empty table says so on stderr, empty JSON is an array", async () => {
  assertEquals(await printed([]), { out: "", notes: "No letters" });
  assertEquals((await printed([], { format: "json" })).out, "[]\n");
  assertEquals(await printed([], { format: "ndjson" }), { out: "", notes: "" });
  assertEquals(await printed([], { format: "plain" }), { out: "", notes: "" });
});

Deno.test("JSON is an array of the records, NDJSON a record to a line", async () => {
  assertEquals(JSON.parse((await printed(LETTERS, { format: "json" })).out), LETTERS);

  const lines = (await printed(LETTERS, { format: "ndjson" })).out.trimEnd().split("\n");
  assertEquals(lines.map((line): Letter => JSON.parse(line)), [...LETTERS]);
});

Deno.test("plain lines have tabs between the fields and no header", async () => {
  const { out } = await printed([{ id: "a", pages: 3, text: "tab\there" }, { id: "b", pages: 4, text: null }], {
    format: "plain",
  });

  assertEquals(out, "a\t3\ttab\\there\nb\t4\t\n");
});
