/** What is inside the program that is shipped, and what is not. */
import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { binaryUnderTest } from "./_machine.ts";

Deno.test("the program has no failpoint: neither their variable nor the name of a place", async () => {
  const program = Buffer.from(await Deno.readFile(binaryUnderTest()));

  // The first shows that the script is found in it.
  assertEquals(program.includes("QUEUECTL_DB"), true);
  for (const text of ["QUEUECTL_FAILPOINT", "after-claim", "before-spawn"]) {
    assertEquals(program.includes(text), false, text);
  }
});
