import { assertEquals } from "@std/assert";
import { sameStore, selfCommand } from "../../../lib/worker/spawn_self.ts";

Deno.test("selfCommand() runs the sources by the same Deno where nothing is compiled", () => {
  const [program, ...args] = selfCommand(["version"]);

  assertEquals(program, Deno.execPath());
  assertEquals(args[0], "run");
  assertEquals(args.slice(-2), [Deno.mainModule, "version"]);
});

Deno.test("a store is named by an argument, but a URL only in the environment", () => {
  assertEquals(sameStore("/data/queue.db"), { args: ["--db", "/data/queue.db"], env: {} });
  assertEquals(sameStore("postgres://me:secret@db/q"), { args: [], env: { QUEUECTL_DB: "postgres://me:secret@db/q" } });
});
