/** What jobs, and workers in the background, inherit of the open files of their caller. */
import { assertEquals } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** Starts queuectl with two more open files, of which one is locked. */
async function withFiles(box: Sandbox, args: readonly string[]): Promise<Started> {
  await Deno.writeTextFile(`${box.directory}/private`, "not for jobs\n", { mode: 0o600 });
  const open = 'exec 9<private 8>>lock; flock -n 8 || exit 99; exec "$@"';
  const env = { TOKEN: "hunter2-hunter2" };
  return await box.start(["-c", open, "sh", box.binary, ...args], { program: "/bin/sh", env });
}

/** Fails when somebody holds the lock of the caller. */
async function takeLock(box: Sandbox): Promise<void> {
  assertEquals((await box.run(["-c", "flock -w 30 8 8>>lock"], { program: "/bin/sh" })).code, 0);
}

/** Of a listing of /proc/self/fd: all but the folder itself, which `ls` has open to list it. */
function numbers(listing: string): string[] {
  const files = listing.split("\n").filter((line) => line.includes(" -> ") && !/ -> .*\/fd$/.test(line));
  return files.map((line) => / (\d+) -> /.exec(line)?.[1] ?? line).sort();
}

const LIST = ["--", "ls", "-l", "/proc/self/fd"];

Deno.test("a job of `worker run` inherits its three streams and nothing else, with secrets and without", async () => {
  await using box = await sandbox();
  for (const [id, ...options] of [["plain"], ["redacted", "--secret-env", "TOKEN"], ["limited", "--umask", "027"]]) {
    await box.ok(["enqueue", "--id", id ?? "", ...options, ...LIST]);
  }
  await box.ok(["enqueue", "--id", "shell", "cat <&9 || cat <&8"]);

  assertEquals((await (await withFiles(box, ["worker", "run", "--max-jobs", "4"])).wait()).code, 0);

  for (const id of ["plain", "redacted", "limited"]) {
    assertEquals(numbers(await box.ok(["output", id, "--stdout"])), ["0", "1", "2"], id);
  }
  assertEquals((await box.run(["output", "shell"])).stdout.includes("not for jobs"), false);
});

Deno.test("a job of `run` inherits its three streams and nothing else", async () => {
  await using box = await sandbox();

  const run = await (await withFiles(box, ["run", ...LIST])).wait();

  assertEquals([run.code, numbers(run.stdout)], [0, ["0", "1", "2"]], run.stderr);
});

Deno.test("workers in the background and their jobs hold no lock of who started them", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "list", ...LIST]);
  assertEquals((await (await withFiles(box, ["worker", "start"])).wait()).code, 0);
  try {
    await box.ok(["wait", "list"]);

    assertEquals(numbers(await box.ok(["output", "list", "--stdout"])), ["0", "1", "2"]);
    await takeLock(box);
  } finally {
    await box.ok(["worker", "stop"]);
  }
});

Deno.test("a worker that `run` leaves behind holds no lock of its caller", async () => {
  await using box = await sandbox();
  const run = await withFiles(box, ["run", "--id", "long", "sleep 600"]);
  await waitFor(async () => (await box.run(["show", "long"])).stdout.includes("processing"), "the job to run");

  await run.kill();

  await takeLock(box);
  assertEquals((await box.json(["show", "long"])).state, "processing");
  await box.killAll();
});
