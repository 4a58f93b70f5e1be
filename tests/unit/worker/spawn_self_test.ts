import { assertEquals } from "@std/assert";
import { sameStore, selfCommand, spawnSelf } from "../../../lib/worker/spawn_self.ts";

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

Deno.test("spawnSelf() starts this same program by Deno.Command, detached and without streams of ours", () => {
  const { Command } = Deno;
  const asked: { program: string | URL; options: Deno.CommandOptions | undefined }[] = [];
  const fake = function (program: string | URL, options?: Deno.CommandOptions) {
    asked.push({ program, options });
    return { spawn: () => ({ pid: 1, unref() {}, status: Promise.resolve() }) };
  };
  Object.assign(Deno, { Command: fake });
  try {
    spawnSelf(["worker", "run"]);
  } finally {
    Object.assign(Deno, { Command });
  }

  const [{ program, options } = {}] = asked;
  assertEquals(program, Deno.execPath());
  assertEquals(options?.args?.slice(-2), ["worker", "run"]);
  assertEquals([options?.detached, options?.stdin, options?.stdout, options?.stderr], [true, "null", "null", "null"]);
});
