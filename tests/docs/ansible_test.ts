/** The tasks of docs/ansible.md: those that are commands are run, in order and twice. */
import { assert, assertEquals } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { inSandbox, yamlBlock } from "../support/recipes.ts";

interface Task {
  readonly name: string;
  readonly [key: string]: unknown;
}

const tasks = () => yamlBlock("ansible", "yaml tasks/main.yml") as Task[];

function task(name: string): Task {
  const found = tasks().find((task) => task.name === name);
  assert(found !== undefined, name);
  return found;
}

/** As the command module does: words by quotes and spaces, no shell. */
async function runCommand(box: PoolBox, name: string, change = (command: string) => command) {
  const { cmd } = task(name)["ansible.builtin.command"] as { cmd: string };
  const command = change(inSandbox(cmd.trim(), box));
  return await box.ok(["-c", `exec ${command}`], { program: "/bin/sh" });
}

Deno.test("every task has a name and one module", () => {
  for (const { name, ...task } of tasks()) {
    assertEquals(Object.keys(task).filter((key) => key.startsWith("ansible.builtin.")).length, 1, name);
  }
});

Deno.test("the task that writes the unit reports a change only when there was one", async () => {
  await using box = await poolBox();
  const units = `${box.directory}/units`;
  // Neither the user of the role nor the folder of this machine's units.
  const elsewhere = (command: string) => command.replace("--run-as queuectl", "--run-as root") + ` --dir '${units}'`;
  await runCommand(box, "Limit the time that a shutdown waits for jobs");
  assertEquals(task("Write the unit").changed_when, `(unit.stdout | from_json).result != "unchanged"`);

  const first = JSON.parse(await runCommand(box, "Write the unit", elsewhere));
  const second = JSON.parse(await runCommand(box, "Write the unit", elsewhere));

  assertEquals([first.result, second.result], ["written", "unchanged"]);
  assertEquals(first.name, "queuectl.service");
  const unit = await Deno.readTextFile(`${units}/queuectl.service`);
  assert(unit.includes("--count 4") && unit.includes("TimeoutStopSec=135s"), unit);
  const { name } = task("Start the workers, now and at each boot")["ansible.builtin.systemd_service"] as {
    name: string;
  };
  assertEquals(`${name}.service`, first.name);
});

Deno.test("user, home and database of the tasks belong together", () => {
  const user = task("Make the user whose jobs these are")["ansible.builtin.user"] as { name: string; home: string };
  const { cmd } = task("Write the unit")["ansible.builtin.command"] as { cmd: string };

  assert(cmd.includes(`--run-as ${user.name} `) && cmd.includes(`--db ${user.home}/queue.db`), cmd);
});

Deno.test("the installer is fetched from the address that its task installs from", async () => {
  await using box = await poolBox();
  const { url, dest } = task("Fetch the installer")["ansible.builtin.get_url"] as { url: string; dest: string };
  const install = task("Install queuectl");
  const { cmd } = install["ansible.builtin.command"] as { cmd: string };
  assertEquals(`${(install.environment as Record<string, string>).QUEUECTL_BASE_URL}/install.sh`, url);

  // In place of the installer: a script that says how it was called.
  await Deno.writeTextFile(`${box.directory}/install.sh`, 'echo "$*"\n');
  const said = await box.ok(["-c", cmd.replace(dest, `${box.directory}/install.sh`)], { program: "/bin/sh" });
  assertEquals(said, "--system");
});
