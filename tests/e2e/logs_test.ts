/** What the runs of a job write, and what they write at this moment. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** Fails at its first run and succeeds at its second; waits for files by which the test leads it on. */
const STEPS = `say() { echo "out $QUEUECTL_RUN $1"; echo "err $QUEUECTL_RUN $1" >&2; }
say begin
until test -e "go$QUEUECTL_RUN"; do sleep 0.02; done
say end
test "$QUEUECTL_RUN" = 2`;

async function led(box: Sandbox): Promise<{ id: string; worker: Started; lead: (run: number) => Promise<void> }> {
  const id = await box.ok(["enqueue", "--backoff", "fixed:10ms", STEPS]);
  const worker = await box.start(["worker", "run", "--drain"]);
  return { id, worker, lead: (run) => Deno.writeTextFile(`${box.directory}/go${run}`, "") };
}

Deno.test("logs shows all runs of a job, and ends", async () => {
  await using box = await sandbox();
  const { id, worker, lead } = await led(box);
  await lead(1);
  await lead(2);
  await worker.wait();

  const logs = await box.run(["logs", id]);

  assertEquals([logs.code, logs.stderr], [0, "--- run 2 ---\n"]);
  assertEquals(
    logs.stdout,
    "out 1 begin\nout 1 end\nerr 1 begin\nerr 1 end\nout 2 begin\nout 2 end\nerr 2 begin\nerr 2 end\n",
  );
});

Deno.test("logs -f shows what a job writes while it writes it, over its retries, and ends with it", async () => {
  await using box = await sandbox();
  const { id, worker, lead } = await led(box);
  const logs = await box.start(["logs", "-f", id]);

  await waitFor(() => logs.stdout().includes("out 1 begin") && logs.stdout().includes("err 1 begin"), "the beginning");
  assert(!logs.stdout().includes("end"));
  await lead(1);
  await waitFor(() => logs.stdout().includes("out 2 begin"), "the second run");
  assert(logs.stdout().includes("out 1 end"));
  await lead(2);
  const { code, stdout } = await logs.wait();
  await worker.wait();

  assertEquals(code, 0);
  const expected = [1, 2].flatMap((run) =>
    ["begin", "end"].flatMap((step) => [`out ${run} ${step}`, `err ${run} ${step}`])
  );
  assertEquals(stdout.trimEnd().split("\n").toSorted(), expected.toSorted());
});

Deno.test("logs -f of a job that waits begins when the job does", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "echo hello"]);
  const logs = await box.start(["logs", "-f", id]);

  await box.ok(["worker", "run", "--drain"]);

  assertEquals((await logs.wait()).stdout, "hello\n");
});

Deno.test("logs -f loses and repeats nothing of a large output, when it moves at the end", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "seq 1 300000; seq 1 100000 >&2"]);
  const logs = await box.start(["logs", "-f", id, "--format", "ndjson"]);

  await box.ok(["worker", "run", "--drain"]);

  const lines = (await logs.wait()).stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const of = (stream: string) => lines.filter((line) => line.stream === stream).map(({ text }) => Number(text));
  assertEquals(of("stdout"), Array.from({ length: 300_000 }, (_, index) => index + 1));
  assertEquals(of("stderr"), Array.from({ length: 100_000 }, (_, index) => index + 1));
});

Deno.test("Ctrl-C ends logs -f quietly, and leaves the job alone", async () => {
  await using box = await sandbox();
  const { id, worker, lead } = await led(box);
  const logs = await box.start(["logs", "-f", id]);
  await waitFor(() => logs.stdout().includes("begin"), "the beginning");

  logs.signal("SIGINT");
  const { code, stderr } = await logs.wait();

  assertEquals([code, stderr], [0, ""]);
  assertEquals((await box.json(["show", id])).state, "processing");
  await lead(1);
  await lead(2);
  await worker.wait();
});

Deno.test("--tail begins with the last lines, and -f goes on from there", async () => {
  await using box = await sandbox();
  const script = "seq 1 1000; until test -e go; do sleep 0.02; done; echo end";
  const id = await box.ok(["enqueue", script]);
  const worker = await box.start(["worker", "run", "--drain"]);
  await waitFor(async () => (await box.run(["output", id, "--raw"])).stdout.includes("1000\n"), "its lines");

  assertEquals(await box.ok(["logs", id, "--tail", "2"]), "999\n1000");
  assertEquals(await box.ok(["logs", id, "--tail", "0"]), "");
  const logs = await box.start(["logs", "-f", "--tail", "3", id]);
  await waitFor(() => logs.stdout() === "998\n999\n1000\n", "the tail");
  await Deno.writeTextFile(`${box.directory}/go`, "");
  await worker.wait();

  assertEquals((await logs.wait()).stdout, "998\n999\n1000\nend\n");
});

Deno.test("--timestamps puts a time before each line; of a run that has ended, the time of its end", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "echo one; printf two"]);
  await box.ok(["worker", "run", "--drain"]);

  const { runs: [run] } = await box.json(["show", id]);

  assertEquals(await box.ok(["logs", id, "--timestamps"]), `${run.finished_at} one\n${run.finished_at} two`);
  assertEquals(await box.json(["logs", id]), [
    { time: run.finished_at, run: 1, stream: "stdout", text: "one" },
    { time: run.finished_at, run: 1, stream: "stdout", text: "two" },
  ]);
});

Deno.test("logs of an unknown job is exit code 3, of one that has not run nothing", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "waiting", "true"]);

  const unknown = await box.run(["logs", "nobody"]);
  const waiting = await box.run(["logs", "waiting"]);

  assertEquals([unknown.code, unknown.stdout], [3, ""]);
  assertMatch(unknown.stderr, /No job "nobody"/);
  assertEquals([waiting.code, waiting.stdout, waiting.stderr], [0, "", "Job waiting has not run yet\n"]);
});
