import { assertEquals, assertThrows } from "@std/assert";
import { systemdCommand, systemdWord } from "../../../../lib/cli/service/systemd_words.ts";
import { parsePasswd } from "../../../../lib/cli/service/os_user.ts";

for (
  const { word, written } of [
    { word: "/usr/bin/queuectl", written: "/usr/bin/queuectl" },
    { word: "a b", written: '"a b"' },
    { word: "100%", written: '"100%%"' },
    { word: 'say "hi"', written: '"say \\"hi\\""' },
    { word: "back\\slash", written: '"back\\\\slash"' },
    { word: "", written: '""' },
  ]
) {
  Deno.test(`systemd reads ${JSON.stringify(word)} from ${written}`, () => assertEquals(systemdWord(word), written));
}

Deno.test("a dollar sign in an argument is no variable", () => {
  assertEquals(systemdCommand(["/bin/echo", "$HOME"]), '/bin/echo "$$HOME"');
});

Deno.test("a program that systemd would refuse is started by a shell", () => {
  assertEquals(systemdCommand(["/a'b", "x"]), `/bin/sh -c "exec \\"$$0\\" \\"$$@\\"" "/a'b" x`);
});

Deno.test("a word cannot add a line to a unit", () => {
  assertThrows(() => systemdWord("/a\nUser=root"), Error, "it has control characters");
});

Deno.test("users are read from lines with seven fields; comments and broken lines are none", () => {
  assertEquals(parsePasswd("root:x:0:0::/root:/bin/sh\n# no\nbob:x:1000:1000:Bob, B:/home/bob:\n\n"), [
    { name: "root", uid: 0, home: "/root" },
    { name: "bob", uid: 1000, home: "/home/bob" },
  ]);
});
