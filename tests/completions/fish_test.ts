import { assertEquals } from "@std/assert";
import { describeCompletion } from "./_cases.ts";
import { CompletionShell } from "./_shells.ts";

describeCompletion("fish");

Deno.test("fish shows the summary of a command", async () => {
  await using line = await CompletionShell.open("fish");

  const [offer] = await line.offers("queuectl enq");

  assertEquals(offer, { word: "enqueue", summary: "Add a job; prints its id" });
});
