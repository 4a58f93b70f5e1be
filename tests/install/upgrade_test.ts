/** install.sh over a running pool: the next command is shown, and no job is lost. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { waitFor } from "../support/wait_for.ts";
import { binaryUnderTest, machine, makeRelease } from "./_machine.ts";

const JOBS = 40;

/** The same program with another version number of the same length, wherever it is written. */
async function writeOlderProgram(path: string): Promise<void> {
  const program = await Deno.readFile(binaryUnderTest());
  const [written, older] = ['"version": "0.1.0"', '"version": "0.0.9"'].map((text) => new TextEncoder().encode(text));
  let count = 0;
  for (let at = program.indexOf(written![0]!); at >= 0; at = program.indexOf(written![0]!, at + 1)) {
    if (!written!.every((byte, i) => program[at + i] === byte)) continue;
    program.set(older!, at);
    count++;
  }
  assert(count > 0, "the program holds its version");
  await Deno.writeFile(path, program, { mode: 0o755 });
}

Deno.test("a newer version over a running pool takes over by `worker restart`, and every job runs once", async () => {
  await using host = await machine();
  const release = `${host.directory}/release`;
  await makeRelease(release);
  const bin = `${host.home}/bin`;
  const program = `${bin}/queuectl`;
  await Deno.mkdir(bin);
  await writeOlderProgram(program);
  await host.runAsSelf(["chmod", "a+rwx", bin]);
  const ok = async (...command: string[]) => {
    const ended = await host.run(command);
    assertEquals(ended.code, 0, `${command.join(" ")}: ${ended.stderr}`);
    return ended.stdout;
  };
  assertStringIncludes(await ok(program, "version"), "queuectl 0.0.9");
  await ok(program, "worker", "start", "--count", "2");
  const olderWorkers = host.processes().map(({ pid }) => pid);
  const lines = Array.from({ length: JOBS }, (_, i) => `echo ${i} >>${host.home}/ledger; sleep 0.05`);
  await Deno.writeTextFile(`${host.home}/jobs`, lines.join("\n"));
  await ok(program, "enqueue-batch", "--lines", `${host.home}/jobs`);

  const installed = await host.run(["sh", `${release}/install.sh`, "--no-completions", "--dir", bin], {
    QUEUECTL_BASE_URL: release,
  });
  assertEquals([installed.code, installed.stderr], [0, ""]);
  const shown = installed.stdout.match(/^ {2}(.* worker restart)$/m)?.[1];
  assert(shown !== undefined, installed.stdout);
  await ok("sh", "-c", shown);
  await ok(program, "wait", "--queue", "default", "--timeout", "60s");

  assertStringIncludes(installed.stdout, "in place of 0.0.9");
  assertStringIncludes(await ok(program, "version"), "queuectl 0.1.0");
  const ran = (await Deno.readTextFile(`${host.home}/ledger`)).trimEnd().split("\n").map(Number);
  assertEquals(ran.sort((a, b) => a - b), Array.from({ length: JOBS }, (_, i) => i));
  const workers: { pid: number; state: string }[] = JSON.parse(await ok(program, "--json", "worker", "status"));
  const working = workers.filter(({ state }) => state === "running");
  assertEquals(working.length, 2);
  for (const { pid } of working) {
    assert(!olderWorkers.includes(pid), `worker ${pid} is one of the older version`);
    assertEquals(await Deno.readLink(`/proc/${pid}/exe`), program);
  }
  await ok(program, "worker", "stop");
  await waitFor(() => host.processes().length === 0, "the end of the workers");
});
