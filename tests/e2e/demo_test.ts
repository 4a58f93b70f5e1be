/** The demo of the README tells its story to the end. */
import { assertEquals, assertStringIncludes } from "@std/assert";

const SCRIPT = new URL("../../tools/demo.ts", import.meta.url).pathname;

Deno.test("the demo shows success, priorities, retries, a dead letter and its repair", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", SCRIPT],
    stdin: "null",
  }).output();

  const [told, complaints] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  assertEquals({ code, complaints }, { code: 0, complaints: "" });
  assertStringIncludes(told, "hello from a job");
  assertStringIncludes(told, "    alarm\n    report\n    backup\n    tidy\n");
  assertStringIncludes(told, "exited with code 1 on the last of 3 attempts");
  assertStringIncludes(told, "a,b,c");
});
