import { assert, assertEquals, assertThrows } from "@std/assert";
import { generatedFiles, withSections } from "../../tools/generate.ts";

Deno.test("the completion scripts, docs/reference and the README agree with the tables", async () => {
  const stale = (await generatedFiles()).filter((file) => file.current !== file.wanted).map((file) => file.path);

  assertEquals(stale, [], "out of date; run: tools/deno task generate");
});

Deno.test("a section is put between its markers, and again without growing", () => {
  const text = "before\n<!-- generated:a -->old<!-- /generated:a -->\nafter\n";
  const bodies = new Map([["a", "new\n"], ["b", "not wanted here"]]);

  const once = withSections(text, bodies);

  assertEquals(once, "before\n<!-- generated:a -->\n\nnew\n\n<!-- /generated:a -->\nafter\n");
  assertEquals(withSections(once, bodies), once);
});

Deno.test("a section that does not end is refused", () => {
  assertThrows(() => withSections("<!-- generated:a -->", new Map([["a", ""]])), Error, "<!-- /generated:a -->");
});

Deno.test("a comment in docs/reference stands on a line of its own: zsh takes one behind a command for arguments", async () => {
  const files = (await generatedFiles()).filter(({ path }) => path.startsWith("docs/reference/"));
  const blocks = files.flatMap(({ wanted = "" }) =>
    [...wanted.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text)
  );

  const trailing = blocks.flatMap((block) => block?.split("\n") ?? []).filter((line) => /\S +# /.test(line));

  assertEquals(trailing, []);
  assert(blocks.length > 80, `only ${blocks.length} blocks were found`);
});
