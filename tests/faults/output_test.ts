/** Jobs that print without end, leave printing processes behind, or lose their worker while they print. */
import { assert, assertEquals } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { readOnlyFolder } from "../support/small_disk.ts";
import { waitFor } from "../support/wait_for.ts";

const MB = 1_000_000;

/** Bytes on the disk of everything beside the database; holes take none. */
function diskUse(box: Sandbox): number {
  let bytes = 0;
  for (const { name } of Deno.readDirSync(`${box.db}.d/logs`)) {
    try {
      bytes += (Deno.statSync(`${box.db}.d/logs/${name}`).blocks ?? 0) * 512;
    } catch {
      // Gone since the folder was read.
    }
  }
  return bytes;
}

function memoryOf(pid: number): number {
  // A process that has ended and was not waited for yet has none.
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Runs one job to its end, and tells how much disk and memory it took at most. */
async function measured(box: Sandbox, args: readonly string[], env: Record<string, string> = {}) {
  const id = await box.ok(["enqueue", "--max-retries", "0", ...args]);
  const worker = await box.start(["worker", "run", "--drain"], { env });
  const most = { disk: 0, memory: 0 };
  const ended = worker.wait();
  let isOver = false;
  void ended.finally(() => isOver = true);
  await waitFor(
    () => {
      if (isOver) return true;
      try {
        most.disk = Math.max(most.disk, diskUse(box));
        most.memory = Math.max(most.memory, memoryOf(worker.pid));
      } catch {
        // It has just ended, or not made its folder yet.
      }
      return false;
    },
    "the end of the worker",
    { timeoutMs: 120_000 },
  );
  await ended;
  return { id, most };
}

/** What of the database and of everything beside it holds a text. */
async function holding(box: Sandbox, text: string): Promise<string> {
  return (await box.run(["-c", 'grep -ral -- "$1" "$0" "$0"-wal "$0".d', box.db, text], { program: "sh" })).stdout;
}

Deno.test("a job that prints 500 MB takes a bounded space; head and tail are kept, the rest is counted", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "output_limit", "1MiB"]);
  const piece = "yes 0123456789abcde | head -c 10000000";
  const script = `echo FIRST; for i in $(seq 50); do ${piece}; sleep 0.03; done; printf LAST`;

  const { id, most } = await measured(box, [script]);

  assert(most.disk < 250 * MB, `took ${most.disk} bytes of disk`);
  assert(most.memory < 250 * MB, `took ${most.memory} bytes of memory`);
  const { runs: [run] } = await box.json(["show", id]);
  assertEquals([run.stdout_bytes, run.dropped_bytes], [500 * MB + 10, 500 * MB + 10 - 1024 * 1024]);
  const { stdout } = await box.run(["output", id, "--stdout"]);
  assert(stdout.startsWith("FIRST\n0123456789abcde\n") && stdout.endsWith("cde\nLAST"));
  assertEquals(stdout.match(/\[queuectl: \d+ bytes dropped\]/g), [`[queuectl: ${run.dropped_bytes} bytes dropped]`]);
  assert(diskUse(box) < 2 * MB);
});

Deno.test("redacted output is bounded while it is printed, too", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "output_limit", "1MiB"]);
  const script = 'echo FIRST; yes "0123456789abcde" | head -c 100000000; printf "$TOKEN"';

  const { id, most } = await measured(box, ["--secret-env", "TOKEN", script], { TOKEN: "hunter2-and-then-some" });

  assert(most.disk < 10 * MB, `took ${most.disk} bytes of disk`);
  assert(most.memory < 250 * MB, `took ${most.memory} bytes of memory`);
  const { runs: [run] } = await box.json(["show", id]);
  assertEquals(run.stdout_bytes, 6 + 100 * MB + "[redacted]".length);
  assert((await box.run(["output", id, "--stdout"])).stdout.endsWith("cde\n[redacted]"));
});

for (const [name, before] of [["little", "echo A"], ["much", "seq 1 50000"]] as const) {
  Deno.test(`what a process left behind prints later is in no output, after ${name} output`, async () => {
    await using box = await sandbox();
    const leftover = "(until test -e go; do sleep 0.02; done; echo LEAK; echo LEAK >&2; touch leaked) &";
    const first = await box.ok(["enqueue", `${leftover} ${before}`]);
    const second = await box.ok(["enqueue", "touch go; until test -e leaked; do sleep 0.02; done; echo B"]);

    await box.ok(["worker", "run", "--drain"]);

    assertEquals((await box.run(["output", second, "--raw"])).stdout, "B\n");
    const { stdout } = await box.run(["output", first, "--raw"]);
    assertEquals(stdout, name === "little" ? "A\n" : Array.from({ length: 50_000 }, (_, i) => `${i + 1}\n`).join(""));
    // The script itself is in the database; a line of its own would be output.
    assertEquals(await holding(box, "^LEAK"), "");
  });
}

Deno.test("what a process of an earlier run prints is not in the output of the next one", async () => {
  await using box = await sandbox();
  const leftover = "(until test -e go; do sleep 0.02; done; while :; do echo LEAK; sleep 0.02; done) &";
  const second = "touch go && sleep 0.5 && exit 0";
  const script = `echo "run $QUEUECTL_RUN"; test "$QUEUECTL_RUN" = 2 && ${second}; ${leftover} exit 1`;
  const id = await box.ok(["enqueue", "--backoff", "fixed:300ms", script]);

  await box.ok(["worker", "run", "--drain"]);

  assertEquals((await box.run(["output", id, "--run", "1", "--raw"])).stdout, "run 1\n");
  assertEquals((await box.run(["output", id, "--run", "2", "--raw"])).stdout, "run 2\n");
  await box.killAll();
});

Deno.test("what a run printed before its worker was killed is still there, apart from the next run", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", 'echo "run $QUEUECTL_RUN"; test "$QUEUECTL_RUN" = 2 || sleep 60']);
  const worker = await box.start(["worker", "run"]);
  await waitFor(async () => (await box.run(["output", id, "--raw"])).stdout === "run 1\n", "its first line");

  await worker.kill();
  await box.ok(["worker", "run", "--drain"]);

  assertEquals((await box.json(["show", id])).runs.map((run: { outcome: string }) => run.outcome), [
    "lost",
    "succeeded",
  ]);
  assertEquals((await box.run(["output", id, "--run", "1", "--raw"])).stdout, "run 1\n");
  assertEquals((await box.run(["output", id, "--run", "2", "--raw"])).stdout, "run 2\n");
  await box.killAll();
});

Deno.test("a secret of which a killed worker had seen one half is nowhere", async () => {
  await using box = await sandbox();
  const script = 'echo begin; printf hunter2; test "$QUEUECTL_RUN" = 1 && sleep 60; echo "-and-then-some"';
  const id = await box.ok(["enqueue", "--secret-env", "TOKEN", script]);
  const env = { TOKEN: "hunter2-and-then-some" };
  const worker = await box.start(["worker", "run"], { env });
  await waitFor(async () => (await box.run(["output", id, "--raw"])).stdout === "begin\n", "its first line");

  await worker.kill();
  await box.ok(["worker", "run", "--drain"], { env });

  assertEquals((await box.run(["output", id, "--run", "2", "--raw"])).stdout, "begin\n[redacted]\n");
  // The script holds both halves, with something between them.
  assertEquals(await holding(box, "hunter2-and"), "");
  assertEquals(await holding(box, "^hunter2"), "");
  await box.killAll();
});

Deno.test("when the folder of outputs is removed under a worker, the next job makes it again", async () => {
  await using box = await sandbox();
  const worker = await box.start(["worker", "run"]);
  await box.ok(["wait", await box.ok(["enqueue", "true"])]);
  await Deno.remove(`${box.db}.d/logs`, { recursive: true });

  const id = await box.ok(["enqueue", "--max-retries", "0", "echo here"]);
  await box.ok(["wait", id]);
  worker.signal("SIGTERM");
  await worker.wait();

  assertEquals(await box.ok(["output", id, "--stdout"]), "here");
  assertEquals((await Deno.stat(`${box.db}.d/logs`)).mode! & 0o777, 0o700);
});

Deno.test("a job whose output cannot be written says so, and does not blame its program", async () => {
  await using box = await sandbox();
  const worker = await box.start(["worker", "run"]);
  await box.ok(["wait", await box.ok(["enqueue", "true"])]);
  await using _ = await readOnlyFolder(`${box.db}.d/logs`);

  const id = await box.ok(["enqueue", "--max-retries", "0", "echo here"]);
  const { code, stderr } = await box.run(["wait", id]);
  worker.signal("SIGTERM");
  await worker.wait();

  assertEquals(code, 126);
  assert(stderr.includes("could not be started: its output cannot be written: the filesystem is read-only"), stderr);
});
