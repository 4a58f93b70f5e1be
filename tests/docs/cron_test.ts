/** The crontab lines of docs/cron.md, each run as cron runs it. */
import { assertEquals, assertMatch } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { codeBlock, inSandbox } from "../support/recipes.ts";

interface CronLine {
  readonly time: string;
  readonly command: string;
}

/** As cron reads them: five fields or `@reboot`, then the command, which ends at the first bare `%`. */
function cronLines(text: string, options: { hasUser?: boolean } = {}): CronLine[] {
  return text.split("\n").filter((line) => /^[@*\d]/.test(line)).map((line) => {
    const [, time = "", rest = ""] = /^(@\w+|(?:\S+\s+){4}\S+)\s+(.*)$/.exec(line) ?? [];
    assertMatch(time, /^(@reboot|(?:[\d*/,-]+ ?){5})$/);
    const command = options.hasUser === true ? rest.replace(/^root\s+/, "") : rest;
    const [first = ""] = command.split(/(?<!\\)%/);
    return { time, command: first.replaceAll("\\%", "%") };
  });
}

/** The environment that cron gives, and the database of the sandbox in place of the user's own. */
async function byCron(box: PoolBox, command: string) {
  const clean = ["-i", `HOME=${box.home}`, "LOGNAME=somebody", "SHELL=/bin/sh", "PATH=/usr/bin:/bin"];
  const kept = ["QUEUECTL_TEST_RUN", "QUEUECTL_TEST_SANDBOX"].map((name) => `${name}=$${name}`);
  const script = `exec env ${clean.join(" ")} ${kept.join(" ")} QUEUECTL_DB="$QUEUECTL_DB" /bin/sh -c "$1"`;
  return await box.run(["-c", script, "sh", inSandbox(command, box)], { program: "/bin/sh", cwd: box.home });
}

async function boxWithPrograms(): Promise<PoolBox> {
  const box = await poolBox();
  await Deno.mkdir(`${box.home}/.local/bin`, { recursive: true });
  await Deno.symlink(box.binary, `${box.home}/.local/bin/queuectl`);
  return box;
}

/** Puts `script` in the place of a program that the crontab names. */
async function withProgram(box: PoolBox, command: string, path: string, script: string): Promise<string> {
  const fake = `${box.directory}/${path.slice(path.lastIndexOf("/") + 1)}`;
  await Deno.writeTextFile(fake, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return command.replace(path, fake);
}

function line(part: string): string {
  const found = cronLines(codeBlock("cron", "crontab")).filter(({ command }) => command.includes(part));
  assertEquals(found.length, 1, part);
  return found[0]!.command;
}

Deno.test("the line with a guard says nothing when the job succeeds, and all it printed when it fails", async () => {
  await using box = await boxWithPrograms();
  const command = line("--key backup");

  const quiet = await byCron(box, await withProgram(box, command, "/usr/local/bin/backup", "echo fine"));
  assertEquals([quiet.code, quiet.stdout, quiet.stderr], [0, "", ""]);

  await box.ok(["config", "set", "backoff_strategy", "fixed"]);
  await box.ok(["config", "set", "backoff_delay", "10ms"]);
  const failing = await byCron(box, await withProgram(box, command, "/usr/local/bin/backup", "echo broken; exit 7"));
  assertEquals(failing.code, 7);
  assertMatch(failing.stdout + failing.stderr, /broken/);
  const [job] = await box.json(["list", "--state", "dead"]);
  assertEquals(job.attempts, 4);
});

Deno.test("the line with a percent sign reaches the shell of the job whole", async () => {
  await using box = await boxWithPrograms();
  await Deno.writeTextFile(`${box.directory}/report`, `#!/bin/sh\necho "for $1" >report.out\n`, { mode: 0o755 });

  const { code } = await byCron(box, line("./report").replace("/srv/app", box.directory));

  assertEquals(code, 0);
  assertMatch(await Deno.readTextFile(`${box.directory}/report.out`), /^for \d{4}-\d\d-\d\d\n$/);
});

Deno.test("the line that only enqueues, the workers at boot and the drain work together", async () => {
  await using box = await boxWithPrograms();
  const enqueue = await withProgram(box, line("enqueue"), "/usr/local/bin/import", "exit 0");
  assertEquals((await byCron(box, enqueue)).stdout, "");
  assertEquals((await byCron(box, line("--drain"))).code, 0);
  assertEquals((await box.json(["list", "--state", "completed"])).length, 1);

  assertEquals((await byCron(box, line("worker start"))).code, 0);
  await box.untilWorking(2);
  assertEquals((await byCron(box, enqueue)).code, 0);
  const [{ id }] = await box.json(["list"]);
  await box.untilState(id, "completed");
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("the line for /etc/cron.d makes a backup", async () => {
  await using box = await boxWithPrograms();
  await box.ok(["enqueue", "true"]);
  const [backup] = cronLines(codeBlock("cron", "crontab system"), { hasUser: true });

  const folder = `${box.directory}/backups`;
  await Deno.mkdir(folder);

  const { code } = await byCron(box, backup!.command.replace("/var/backups", folder));

  assertEquals(code, 0);
  assertEquals((await box.json(["--db", `${folder}/queue.db`, "list"])).length, 1);
});
