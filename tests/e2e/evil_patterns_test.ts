/** A regular expression that backtracks without end costs its lines, and no worker. */
import { assert, assertEquals } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** What each of these does with a line of the same letters and a `!` takes longer than anybody waits. */
const EVIL = ["(a+)+$", "(a|aa)+$", "([a-z]+)*1", "(a|a|a)+b", "(.*a){25}x", "(\\w+\\s?)+:$"];
const LINE = `${"a".repeat(60)}!`;

/** Prints that line so often, from a file: as an argument it would be too long. */
async function printer(box: Sandbox, times: number): Promise<string> {
  await Deno.writeTextFile(`${box.directory}/lines-${times}`, `${LINE}\n`.repeat(times));
  return `cat lines-${times}`;
}

for (const pattern of EVIL) {
  Deno.test(`/${pattern}/ hides the line that is too much for it, and the others stay`, async () => {
    await using box = await sandbox();
    await box.ok(["config", "set", "redact", `/${pattern}/,/key=\\S+/`]);
    const print = await printer(box, 1);
    await box.ok(["enqueue", "--id", "evil", `echo key=1 and; ${print}; echo key=2 but`]);

    await box.ok(["worker", "run", "--drain"]);

    assertEquals((await box.ok(["output", "evil", "--raw"])).split("\n"), [
      "[redacted] and",
      "[redacted]",
      "[redacted] but",
    ]);
    assertEquals(box.processes(), []);
  });
}

Deno.test("a worker with a job that prints nothing but such lines goes on, and its other jobs with it", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "redact", `/${EVIL[0]}/`]);
  for (const [key, value] of [["lease", "2s"], ["heartbeat_interval", "500ms"]] as const) {
    await box.ok(["config", "set", key, value]);
  }
  await box.ok(["enqueue", "--id", "evil", await printer(box, 20_000)]);
  await box.ok(["enqueue", "--id", "victim", "sleep 4; echo fine"]);

  await box.ok(["worker", "run", "--drain", "--concurrency", "2"]);

  const victim = await box.json(["show", "victim"]);
  assertEquals([victim.state, victim.attempts, victim.crashes], ["completed", 1, 0]);
  assertEquals(await box.ok(["output", "victim", "--raw"]), "fine");
  const lines = (await box.ok(["output", "evil", "--raw"])).split("\n");
  assertEquals([lines.length, [...new Set(lines)]], [20_000, ["[redacted]"]]);
});

Deno.test("TERM ends a worker soon after its jobs, whatever they printed", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "redact", `/${EVIL[0]}/,/${EVIL[1]}/`]);
  const print = await printer(box, 10_000);
  for (let count = 0; count < 4; count++) await box.ok(["enqueue", `${print}; touch ended-${count}`]);
  const worker = await box.start(["worker", "run", "--concurrency", "4"]);
  await waitFor(
    () => [...Deno.readDirSync(box.directory)].filter(({ name }) => name.startsWith("ended-")).length === 4,
    "the jobs to end",
  );

  const told = performance.now();
  worker.signal("SIGTERM");
  const { code } = await worker.wait();

  // About a second; a machine that is busy with other things needs longer. It used to be for ever.
  assert(performance.now() - told < 20_000, `${performance.now() - told} ms`);
  assertEquals(code, 0);
  assertEquals(box.processes(), []);
  assertEquals((await box.json(["list", "--state", "completed"])).length, 4);
});

Deno.test("the process that searches ends with a worker that is killed, also in the middle of a search", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "redact", `/${EVIL[0]}/`]);
  await box.ok(["enqueue", `${await printer(box, 1)}; sleep 600`]);
  const worker = await box.start(["worker", "run"]);
  const searchers = () => box.processes().filter(({ command }) => command.includes("__redact"));
  await waitFor(() => searchers().length === 1, "the process that searches");

  // Stopped, the worker cannot kill what takes too long.
  worker.signal("SIGSTOP");
  await worker.kill();

  await waitFor(() => searchers().length === 0, "its end");
  await box.killAll();
});
