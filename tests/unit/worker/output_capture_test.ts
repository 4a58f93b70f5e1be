import { assertEquals, assertThrows } from "@std/assert";
import { NO_REDACTION, type Redaction } from "../../../lib/core/redaction.ts";
import { outputBase } from "../../../lib/operations/output_files.ts";
import type { Spawner } from "../../../lib/worker/child_process.ts";
import { OutputCapture, type OutputOptions } from "../../../lib/worker/output_capture.ts";
import { portableSpawner } from "../../../lib/worker/portable_spawn.ts";
import { posixSpawner } from "../../../lib/worker/posix_spawn.ts";
import { tempDirectory } from "../../support/temp_store.ts";

const HIDDEN: Redaction = { words: ["hunter2"], patterns: [] };

/** Runs a shell script as a worker would; gives what is kept, and the names of the files that are left. */
async function captured(spawner: Spawner, script: string, overrides: Partial<OutputOptions> = {}) {
  await using temp = await tempDirectory();
  Deno.mkdirSync(`${temp.path}/logs`);
  const capture = new OutputCapture({
    base: outputBase(temp.path, 1, 1),
    stdin: null,
    isKept: true,
    limitBytes: () => 1024 * 1024,
    redaction: NO_REDACTION,
    ...overrides,
  });
  const argv = ["sh", "-c", script];
  const child = await spawner.spawn({
    program: "/bin/sh",
    argv,
    env: ["PATH=/usr/bin:/bin"],
    cwd: null,
    ...capture.files,
  });
  capture.watch(spawner.opensFirst);
  const { code } = await child.exited;
  const output = await capture.settle();
  capture.letGo();
  const left = [...Deno.readDirSync(`${temp.path}/logs`)].map(({ name }) => name).toSorted();
  const text = (bytes: Uint8Array | null) => bytes === null ? null : new TextDecoder().decode(bytes);
  return { code, left, output, stdout: text(output.stdout), stderr: text(output.stderr) };
}

for (const [name, open] of [["posix_spawn", posixSpawner], ["Deno.Command", portableSpawner]] as const) {
  const test = (what: string, run: (spawner: Spawner) => Promise<void>) =>
    Deno.test({
      name: `${what} (${name})`,
      // The spawner listens for the ends of its children as long as it is open.
      async fn() {
        const spawner = open();
        if (spawner === undefined) throw new Error(`${name} cannot be had on this machine`);
        try {
          await run(spawner);
        } finally {
          spawner.close();
        }
      },
    });

  test("both streams are kept apart, and no file is left of a little", async (spawner) => {
    const { code, left, stdout, stderr, output } = await captured(spawner, "echo out; echo err >&2; exit 3");

    assertEquals([code, stdout, stderr, left], [3, "out\n", "err\n", []]);
    assertEquals([output.stdoutBytes, output.stderrBytes, output.droppedBytes], [4, 4, 0]);
  });

  test("with something to hide, both streams go through pipes, of which nothing is left", async (spawner) => {
    const script = "printf hun; sleep 0.05; echo ter2; echo hunter2 >&2";

    const { left, stdout, stderr } = await captured(spawner, script, { redaction: HIDDEN });

    assertEquals([stdout, stderr, left], ["[redacted]\n", "[redacted]\n", []]);
  });

  test("a job reads what it is given, and that is gone afterwards", async (spawner) => {
    const { left, stdout } = await captured(spawner, "cat", { stdin: "some\ninput" });

    assertEquals([stdout, left], ["some\ninput", []]);
  });

  test("much output stays in its file, with its end for the store", async (spawner) => {
    const { left, output } = await captured(spawner, "head -c 200000 /dev/zero");

    assertEquals([output.stdoutBytes, output.stdout?.length, left], [200_000, 65_536, ["1-1.out"]]);
  });

  test("what is not to be kept is written nowhere", async (spawner) => {
    const { left, output, stdout } = await captured(spawner, "echo out", { isKept: false, redaction: HIDDEN });

    assertEquals([stdout, output.stdoutBytes, left], [null, 0, []]);
  });
}

Deno.test("a folder that cannot be written is told at once, and nothing goes on in the background", async () => {
  await using temp = await tempDirectory();
  const options = { stdin: null, isKept: true, limitBytes: () => 1_000, redaction: HIDDEN };
  let message = "";
  try {
    new OutputCapture({ ...options, base: `${temp.path}/missing/1-1` });
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  assertEquals(message, `cannot make the pipe ${temp.path}/missing/1-1.out.fifo`);
});

Deno.test("when one of the pipes cannot be made, nothing is left of the other, nor of the input", async () => {
  await using temp = await tempDirectory();
  Deno.mkdirSync(`${temp.path}/logs`);
  const base = outputBase(temp.path, 1, 1);
  // In the way of the second one, and not to be removed.
  Deno.mkdirSync(`${base}.err.fifo/in`, { recursive: true });
  const openFiles = () => [...Deno.readDirSync("/proc/self/fd")].length;
  const before = openFiles();

  assertThrows(
    () => new OutputCapture({ base, stdin: "input", isKept: true, limitBytes: () => 1_000, redaction: HIDDEN }),
    Error,
    "cannot make the pipe",
  );

  assertEquals(openFiles(), before);
  assertEquals([...Deno.readDirSync(`${temp.path}/logs`)].map(({ name }) => name), ["1-1.err.fifo"]);
});
