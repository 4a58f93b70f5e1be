/**
 * The whole program from its sources, as far as it goes without a store: how
 * errors look, and what becomes of streams that cannot be written.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../../lib/version.ts";

const MAIN = new URL("../../../main.ts", import.meta.url).pathname;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** `queuectl` becomes the program; the rest is for sh. */
async function shell(line: string, env: Record<string, string> = {}): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", `queuectl() { "$DENO" run -A --no-check "$MAIN" "$@"; }\n${line}`],
    env: { DENO: Deno.execPath(), MAIN, ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("an error is one line and a hint on stderr, nothing on stdout", async () => {
  assertEquals(await shell("queuectl enqeue"), {
    code: 2,
    stdout: "",
    stderr: 'queuectl: Unknown command "enqeue"\nTry: queuectl enqueue\n',
  });
});

Deno.test("with --json an error is one line of JSON, also when the command line cannot be read", async () => {
  for (const line of ["queuectl --json enqeue", "queuectl enqeue --format json", "queuectl enqeue --format=ndjson"]) {
    const { code, stdout, stderr } = await shell(line);

    assertEquals({ code, stdout }, { code: 2, stdout: "" });
    assertEquals(JSON.parse(stderr), {
      error: { code: "usage", message: 'Unknown command "enqeue"', hint: "queuectl enqueue" },
    });
  }
});

Deno.test("a stack is shown with -v only", async () => {
  const { stderr } = await shell("queuectl -v enqeue");

  assertStringIncludes(stderr, "Try: queuectl enqueue\nUsageError: ");
  assertStringIncludes(stderr, "    at ");
});

Deno.test("what the user typed cannot drive the terminal through an error", async () => {
  const { stderr } = await shell(`queuectl "$(printf '\\033[2Jx')"`);

  assert(!stderr.includes("\x1b"), JSON.stringify(stderr));
});

Deno.test("a group alone shows its help on stderr and exits 2", async () => {
  const { code, stdout, stderr } = await shell("queuectl worker");

  assertEquals({ code, stdout }, { code: 2, stdout: "" });
  assertStringIncludes(stderr, "worker run");
});

Deno.test("help goes to stdout with exit code 0", async () => {
  const alone = await shell("queuectl");
  const asked = await shell("queuectl worker run --help");

  assertEquals([alone.code, alone.stderr, asked.code, asked.stderr], [0, "", 0, ""]);
  assertStringIncludes(alone.stdout, "enqueue");
  assertStringIncludes(asked.stdout, "queuectl worker run");
});

Deno.test("--version and version say the same", async () => {
  assertEquals((await shell("queuectl --version")).stdout, `queuectl ${VERSION}\n`);
  assertEquals((await shell("queuectl version")).stdout, `queuectl ${VERSION}\n`);
  assertEquals(JSON.parse((await shell("queuectl version --json")).stdout).version, VERSION);
});

Deno.test("a closed pipe ends quietly", async () => {
  const { code, stderr } = await shell("{ queuectl help; echo $? >&2; } | true");

  assertEquals({ code, stderr }, { code: 0, stderr: "0\n" });
});

Deno.test("a full disk under stdout is told and exits 1", async () => {
  const { code, stderr } = await shell("queuectl help > /dev/full");

  assertEquals(code, 1);
  assertStringIncludes(stderr, "queuectl: Cannot write to standard output: No space left on device");
});

Deno.test("completing from a database that is not there is silent", async () => {
  const { stdout, stderr } = await shell("queuectl --db /nonexistent/queue.db __complete job x");

  assertEquals({ stdout, stderr }, { stdout: "", stderr: "" });
});
