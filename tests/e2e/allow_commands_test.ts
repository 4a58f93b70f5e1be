/** Only commands that are allowed get in, and only they run. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";

Deno.test("enqueue, enqueue-batch and edit refuse what allow_commands does not name", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "allow_commands", "echo *,true"]);

  const refused = await box.run(["enqueue", "rm -r x"]);
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, 'queuectl: Cannot take command "rm -r x": allow_commands has no pattern for it');
  assertEquals((await box.run(["enqueue", "echo hi; rm -r x"])).code, 2);
  const batch = await box.run(["enqueue-batch", "--lines", "-"], { stdin: "true\nrm -r x\n" });
  assertEquals(batch.code, 2);
  assertStringIncludes(batch.stderr, "line 2 of standard input");
  assertEquals(await box.json(["list"]), []);

  const id = await box.ok(["enqueue", "echo hi"]);
  assertEquals((await box.run(["edit", id, "--command", "rm x"])).code, 2);
  assertEquals(await box.ok(["enqueue", "--id", "a", "--", "echo", "a; b"]), "a");
});

Deno.test("a worker does not start what is no longer allowed", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--max-retries", "0", "touch ran"]);
  await box.ok(["config", "set", "allow_commands", "true"]);

  assertEquals((await box.run(["worker", "run", "--drain"])).code, 1);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.exit_code, job.runs[0].outcome], ["dead", 126, "not_started"]);
  assertStringIncludes(job.reason, "allow_commands has no pattern for it");
  assertEquals([...Deno.readDirSync(box.directory)].some((file) => file.name === "ran"), false);
});

Deno.test("neither the environment nor the directory of a caller leads around allow_commands", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/backup `);
  await Deno.writeTextFile(`${box.directory}/run.sh`, "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  await Deno.copyFile(`${box.directory}/run.sh`, `${box.directory}/shell`);
  await box.ok(["config", "set", "allow_commands", "backup *,true,./run.sh"]);
  const env = { QUEUECTL_ALLOW_COMMANDS: "*", QUEUECTL_SHELL: `${box.directory}/shell` };

  for (
    const args of [
      ["enqueue", "--", "backup /../run.sh"],
      ["enqueue", "--cwd", box.directory, "./run.sh"],
      ["enqueue", "--env", `PATH=${box.directory}`, "true"],
      ["enqueue", "--env", "LD_PRELOAD=/x.so", "true"],
      ["run", "--", "sh", "-c", "id"],
      ["enqueue", "\u00a0true"],
    ]
  ) {
    const refused = await box.run(args, { env });
    // 125 is what `run` has for troubles of its own.
    const code = args[0] === "run" ? 125 : 2;
    assertEquals([refused.code, refused.stderr.includes("allow_commands")], [code, true], args.join(" "));
  }
  const run = await box.run(["run", "true"], { env });

  assertEquals(run.code, 0, run.stderr);
  assertEquals([...Deno.readDirSync(box.directory)].some((file) => file.name === "ran"), false);
  assertEquals((await box.json(["list"])).length, 1);
});

Deno.test("config says that a guard of the database comes before the environment", async () => {
  await using box = await sandbox();
  const env = { QUEUECTL_ALLOW_COMMANDS: "*", QUEUECTL_SHELL: "/bin/bash" };
  assertEquals(await box.ok(["config", "get", "allow_commands"], { env }), "*");

  const set = await box.run(["config", "set", "allow_commands", "true"], { env });

  assertEquals([set.code, set.stderr.includes("comes before")], [0, false]);
  assertEquals(await box.ok(["config", "get", "allow_commands"], { env }), "true");
  assertEquals(await box.ok(["config", "get", "shell"], { env }), "/bin/sh");
  assertStringIncludes(
    (await box.run(["config", "set", "lease", "40s"], { env: { QUEUECTL_LEASE: "1m" } })).stderr,
    "comes before",
  );
});
