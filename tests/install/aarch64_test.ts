/** The program for aarch64, on this machine: emulated, unless it is one of that kind. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { build } from "../../tools/compile/build.ts";
import { findRuntime } from "../../tools/compile/runtime.ts";
import { waitFor } from "../support/wait_for.ts";
import { EMULATION_ENV, EMULATOR, handToQemu, startsByItself } from "./_emulation.ts";
import { binaryUnderTest, type Machine, machine } from "./_machine.ts";

const target = "aarch64-unknown-linux-gnu";
const folder = await Deno.makeTempDir({ prefix: "aarch64-" });
const program = join(folder, "queuectl");
const { path } = await findRuntime(target);
await build({ output: program, target, runtime: path });

const JOBS = Array.from({ length: 10 }, (_, i) => `echo ${i}`);

interface Box extends Machine {
  /** Runs the aarch64 program; gives its stdout. */
  emulated(...args: string[]): Promise<string>;
  /** Runs dist/queuectl on the same database: an emulated start takes seconds. */
  native(...args: string[]): Promise<string>;
}

async function box(emulator: readonly string[]): Promise<Box> {
  const host = await machine();
  const db = `${host.home}/queue.db`;
  // Root works here in the home of another user.
  const env = { ...EMULATION_ENV, QUEUECTL_DB: db, QUEUECTL_TRUST_OWNER: db };
  const ok = async (command: readonly string[]) => {
    const { code, stdout, stderr } = await host.runAsSelf(command, env);
    assertEquals(code, 0, `${command.join(" ")}: ${stderr}`);
    return stdout;
  };
  return {
    ...host,
    emulated: (...args) => ok([...emulator, program, ...args]),
    native: (...args) => ok([binaryUnderTest(), ...args]),
  };
}

Deno.test("the aarch64 program adds ten jobs and works them all", async () => {
  await using host = await box(EMULATOR);
  await Deno.writeTextFile(`${host.home}/jobs`, JOBS.slice(1).join("\n"));

  const version = await host.emulated("version");
  const id = (await host.emulated("enqueue", JOBS[0]!)).trim();
  await host.native("enqueue-batch", "--lines", `${host.home}/jobs`);
  await host.emulated("worker", "run", "--drain", "--concurrency", "2");

  assertStringIncludes(version, "queuectl 0.1.0");
  assertEquals(await host.native("output", id, "--stdout"), "0\n");
  const jobs: { state: string }[] = JSON.parse(await host.native("--json", "list", "--limit", "0"));
  assertEquals(jobs.map(({ state }) => state), JOBS.map(() => "completed"));
});

const canStart = await startsByItself() || await isHandedToQemu();
if (!canStart) console.log("This kernel hands no aarch64 programs to qemu: that this one starts itself is not tested");

Deno.test({
  name: "the aarch64 program starts itself in the background for `run`",
  ignore: !canStart,
  fn: async () => {
    const restore = await startsByItself() ? undefined : await handToQemu();
    try {
      await using host = await box([]);

      const output = await host.emulated("run", "--", "echo", "hello");

      assertEquals(output, "hello\n");
      await waitFor(() => host.processes().length === 0, "the end of its worker");
    } finally {
      await restore?.();
    }
  },
});

async function isHandedToQemu(): Promise<boolean> {
  const restore = await handToQemu();
  await restore?.();
  return restore !== undefined;
}
