/** The recipes of docs/service.md for init systems other than systemd, and its drop-ins. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { codeBlock, codeBlocks, fakePrograms, inSandbox } from "../support/recipes.ts";

Deno.test("systemd accepts each drop-in of docs/service.md behind our unit", async () => {
  await using box = await poolBox();
  const unit = await box.ok(["service", "print", "--system"]);
  const dropIns = codeBlocks("service").filter(({ info }) => info === "ini");
  assertEquals(dropIns.length, 2);

  for (const { text } of dropIns) {
    const path = `${box.directory}/queuectl.service`;
    await Deno.writeTextFile(path, `${unit}\n${text}`);
    const { code, stdout, stderr } = await box.run(["--man=no", "verify", path], { program: "systemd-analyze" });
    assertEquals([code, stdout, stderr], [0, "", ""]);
  }
});

for (const info of ["openrc", "runit", "rc.local", "rc.shutdown"]) {
  Deno.test(`the script for ${info} is clean under shellcheck`, async () => {
    await using box = await poolBox();
    const path = `${box.directory}/script`;
    // OpenRC reads the variables that the script sets, and runs it with its own shell.
    const text = codeBlock("service", `sh ${info}`).replace("#!/sbin/openrc-run", "#!/bin/sh");
    await Deno.writeTextFile(path, text);

    const excluded = info === "openrc" ? ["--exclude=SC2034"] : [];
    const { code, stdout } = await box.run(["--shell=sh", ...excluded, path], { program: "shellcheck" });

    assertEquals([code, stdout], [0, ""]);
  });
}

/** Starts a pool in the foreground by `script`, runs a job, and stops it as an init system does. */
async function runsAndStops(box: PoolBox, script: string, env: Record<string, string> = {}): Promise<void> {
  const service = await box.start(["-c", inSandbox(script, box)], { program: "/bin/sh", env });
  await box.untilWorking(2);
  await box.untilState(await box.ok(["enqueue", "true"]), "completed");
  service.signal("SIGTERM");
  assertEquals((await service.wait()).code, 0);
  await box.untilEmpty();
}

Deno.test("what the OpenRC script says runs the workers, and its reload replaces them", async () => {
  await using box = await poolBox();
  const script = codeBlock("service", "sh openrc");

  await runsAndStops(box, `${script}\nexec "$command" $command_args`);

  const service = await box.start(["-c", inSandbox(`${script}\nexec "$command" $command_args`, box)], {
    program: "/bin/sh",
  });
  const before = await box.untilWorking(2);
  const reload = `ebegin() { :; }; eend() { return "$1"; }\n${script}\nreload`;
  await box.ok(["-c", inSandbox(reload, box)], { program: "/bin/sh" });
  const pids = new Set(before.map(({ pid }) => pid));
  assertEquals((await box.workers()).filter(({ state, pid }) => state === "running" && !pids.has(pid)).length, 2);
  service.signal("SIGTERM");
  assertEquals((await service.wait()).code, 0);
});

Deno.test("the run file of runit runs the workers", async () => {
  await using box = await poolBox();
  const folder = await fakePrograms(box, { chpst: '[ "$1 $2" = "-u root" ] && shift 2 && exec "$@"' });

  await runsAndStops(box, codeBlock("service", "sh runit"), { PATH: `${folder}:${Deno.env.get("PATH")}` });
});

Deno.test("the line of inittab runs the workers", async () => {
  await using box = await poolBox();
  const [id = "", levels, action, ...command] = codeBlock("service", "inittab").trimEnd().split(":");
  assertEquals([levels, action], ["2345", "respawn"]);
  assertEquals(id.length <= 4, true);

  await runsAndStops(box, `exec ${command.join(":")}`, { QUEUECTL_DB: `${box.directory}/other.db` });
});

Deno.test("rc.local starts workers that outlive it, and the script for the shutdown stops them", async () => {
  await using box = await poolBox();
  const run = (info: string) =>
    box.ok(["-e", "-c", inSandbox(codeBlock("service", info), box)], { program: "/bin/sh" });

  assertStringIncludes(await run("sh rc.local"), "Started pool default: 2 workers");
  await box.untilState(await box.ok(["enqueue", "true"]), "completed");

  assertStringIncludes(await run("sh rc.shutdown"), "Stopped pool default");
  await box.untilEmpty();
});
