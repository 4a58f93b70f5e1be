/** What is inside the program that is shipped, and what is not. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { sandbox } from "../support/binary.ts";
import { tempDirectory } from "../support/temp_store.ts";
import { binaryUnderTest, ROOT } from "./_machine.ts";

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

/** What a package inside the program might do; each call is to fail by its words. */
const CALLS = [
  'fetch("http://127.0.0.1:1/")',
  'new WebSocket("ws://127.0.0.1:1/")',
  'new EventSource("http://127.0.0.1:1/")',
  "Deno.connect({ port: 1 })",
  "Deno.connectTls({ port: 1 })",
  "Deno.listen({ port: 0 })",
  "Deno.serve({ port: 0 }, () => new Response())",
  'Deno.resolveDns("localhost", "A")',
  'require("node:net").connect(1)',
  'require("node:http").get("http://127.0.0.1:1/")',
  'require("node:https").get("https://127.0.0.1:1/")',
  'require("node:dns").lookup("localhost", () => {})',
  'require("dgram").createSocket("udp4")',
];

Deno.test("a packed program cannot fetch, connect, listen or ask for a name", async () => {
  await using temp = await tempDirectory();
  const tries = CALLS.map((call) => `try { ${call}; said.push("done") } catch (e) { said.push(e.message) }`).join("\n");
  const program = `exports.run = () => { const said = []; ${tries}; return said }`;
  await Deno.writeTextFile(join(temp.path, "program.txt"), `(function (exports, require, module) {${program}\n})`);
  const main = `
    import { loadProgram } from "${join(ROOT, "tools/compile/packed/load_program.js")}";
    console.log(JSON.stringify(loadProgram("${temp.path}", new Uint8Array()).run()));
    Deno.exit();`;
  await Deno.writeTextFile(join(temp.path, "main.js"), main);

  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-config", join(temp.path, "main.js")],
  }).output();

  const said: string[] = JSON.parse(new TextDecoder().decode(stdout) || "[]");
  assertEquals(said.length, CALLS.length, new TextDecoder().decode(stderr));
  assertEquals(said.filter((each) => !/^queuectl opens no connection: .* is refused$/.test(each)), []);
});

Deno.test("the program opens no socket of the internet; a job of it may", async () => {
  await using box = await sandbox();
  const trace = join(box.directory, "trace");
  const traced = (...args: string[]) =>
    box.ok(["-f", "-qq", "-A", "-o", trace, "-e", "trace=socket,execve", "--", box.binary, ...args], {
      program: "strace",
    });

  await traced("enqueue", "true");
  await traced("worker", "run", "--drain");
  await traced("run", "--", "true");
  await traced("list");
  const before = await Deno.readTextFile(trace);
  await traced("run", "--", "bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/1 || true");

  assertMatch(before, /execve/);
  assertEquals(before.split("\n").filter((line) => line.includes("AF_INET")), []);
  assertMatch((await Deno.readTextFile(trace)).slice(before.length), /socket\(AF_INET/);
});
