/** What is inside the program that is shipped, and what is not. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { sandbox } from "../support/binary.ts";
import { binaryUnderTest } from "./_machine.ts";

Deno.test("the program has no failpoint: neither their variable nor the name of a place", async () => {
  const program = Buffer.from(await Deno.readFile(binaryUnderTest()));

  // The first shows that the script is found in it.
  assertEquals(program.includes("QUEUECTL_DB"), true);
  for (const text of ["QUEUECTL_FAILPOINT", "after-claim", "before-spawn"]) {
    assertEquals(program.includes(text), false, text);
  }
});

Deno.test("version --licenses prints the licences of all that is inside, also as JSON", async () => {
  await using box = await sandbox();

  const text = await box.ok(["version", "--licenses"]);

  const own = await Deno.readTextFile(new URL("../../LICENSE", import.meta.url));
  for (const part of [own.trimEnd(), "the Deno authors", "UNICODE LICENSE V3", "May you do good and not evil"]) {
    assert(text.includes(part), part);
  }
  // Read from the very runtime that the program starts with.
  assertMatch(text, new RegExp(`^  deno ${RegExp.escape(Deno.version.deno)}: MIT$`, "m"));
  assertMatch(text, /^tokio 1\./m);
  const known = await Deno.readTextFile(new URL("../../THIRD_PARTY_NOTICES", import.meta.url));
  assertEquals(text.split("\n").filter((line) => !known.split("\n").includes(line)), []);
  assertEquals((await box.json(["version", "--licenses"])).licenses, text);
});
