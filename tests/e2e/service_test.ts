/** A pool as a service of the system: its unit, and how the supervisor talks with the service manager. */
import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { type NotifySocket, notifySocket } from "../support/notify_socket.ts";
import { readUnit } from "../support/systemd_unit.ts";
import { waitFor } from "../support/wait_for.ts";

/** Asks systemd itself; anything that it says is a fault of the unit. */
async function verify(box: PoolBox, path: string, scope: "system" | "user" = "system"): Promise<void> {
  const { code, stdout, stderr } = await box.run(
    [...(scope === "user" ? ["--user"] : []), "--man=no", "verify", path],
    { program: "systemd-analyze", env: { XDG_RUNTIME_DIR: box.directory } },
  );
  assertEquals([code, stdout, stderr], [0, "", ""]);
}

/** Starts the unit's ExecStart as systemd would. */
async function startUnit(box: PoolBox, unit: string, socket: NotifySocket, env: Record<string, string> = {}) {
  const { command, environment } = readUnit(unit);
  const [program, ...args] = command("ExecStart");
  return await box.start(args, { program, env: { ...environment, NOTIFY_SOCKET: socket.address, ...env } });
}

const userName = async (box: PoolBox) => await box.ok(["-un"], { program: "id" });

Deno.test("systemd accepts the units of a user and of the system", async () => {
  await using box = await poolBox();
  const options = ["--count", "4", "--queue", "mail,default", "--concurrency", "2", "--pool", "mail"];

  for (const scope of ["user", "system"] as const) {
    const path = `${box.directory}/queuectl-${scope}.service`;
    await Deno.writeTextFile(path, await box.ok(["service", "print", `--${scope}`, ...options]) + "\n");
    await verify(box, path, scope);
    const comments = (await Deno.readTextFile(path)).split("\n").filter((line) => line.startsWith("#"));
    assertEquals(comments.filter((line) => line.length > 80), []);
  }

  const system = readUnit(await box.ok(["service", "print", "--system", ...options]));
  assertEquals(system.command("ExecStart").slice(1), [
    ...["worker", "start", "--foreground", "--pool", "mail", "--count", "4"],
    ...["--concurrency", "2", "--queue", "mail,default"],
  ]);
  assertEquals(system.value("KillMode"), "mixed");
  assertEquals(system.value("User"), "root");
  assertEquals(system.value("WantedBy"), "multi-user.target");
  const user = readUnit(await box.ok(["service", "print", "--user"]));
  assertEquals(user.values("User"), []);
  assertEquals(user.value("WantedBy"), "default.target");
  // Capabilities can only be taken away by the manager of the system.
  assertEquals(user.values("CapabilityBoundingSet"), []);
});

for (const folder of ["with space", "100%n", "$HOME", 'a "quote"', "back\\slash", "it's", "größe"]) {
  Deno.test(`a program and a database in a folder ${JSON.stringify(folder)} are found by systemd`, async () => {
    await using box = await poolBox();
    const place = `${box.directory}/${folder}`;
    await Deno.mkdir(place);
    // Not a symbolic link, which would be followed.
    await Deno.link(box.binary, `${place}/queuectl`)
      .catch(() => Deno.copyFile(box.binary, `${place}/queuectl`));
    const path = `${box.directory}/odd.service`;
    const db = `${place}/q.db`;

    await Deno.writeTextFile(
      path,
      await box.ok(["service", "print", "--system", "--db", db], { program: `${place}/queuectl` }) + "\n",
    );

    await verify(box, path);
    const unit = readUnit(await Deno.readTextFile(path));
    assertEquals(unit.environment, { QUEUECTL_DB: db });
    assert(unit.command("ExecStart").includes(`${place}/queuectl`));
  });
}

Deno.test("hardening that implies NoNewPrivileges is for root only, so that jobs of others can use sudo", async () => {
  await using box = await poolBox();
  const implying = /^(NoNewPrivileges|LockPersonality|Restrict\w+|Protect\w+|Private\w+|SystemCall\w+|Memory\w+)=/m;

  const [user = "", home = ""] = (await ownOrFirstUser()).split(":");
  const other = await box.ok(["service", "print", "--system", "--run-as", user, "--db", `${home}/q.db`]);
  assertNotMatch(other, implying);
  assertStringIncludes(other, `\nUser=${user}\n`);
  assertMatch(await box.ok(["service", "print", "--system"]), /^LockPersonality=yes$/m);
});

/** `name:home` of somebody who is not root. */
async function ownOrFirstUser(): Promise<string> {
  const lines = (await Deno.readTextFile("/etc/passwd")).split("\n").map((line) => line.split(":"));
  const found = lines.find(([, , uid]) => uid !== undefined && Number(uid) > 0) ?? [];
  return `${found[0]}:${found[5]}`;
}

Deno.test("a database whose owner is vouched for is trusted by the service, too", async () => {
  await using box = await poolBox();
  const variables = async (args: string[], env: Record<string, string> = {}) =>
    readUnit(await box.ok(["service", "print", ...args], { env })).environment;
  const path = (await variables([]))["QUEUECTL_DB"]!;

  assertEquals(await variables([]), { QUEUECTL_DB: path });
  assertEquals(await variables(["--trust-owner"]), { QUEUECTL_DB: path, QUEUECTL_TRUST_OWNER: path });
  const byVariable = await variables([], { QUEUECTL_TRUST_OWNER: path });
  assertEquals(byVariable, { QUEUECTL_DB: path, QUEUECTL_TRUST_OWNER: path });
  assertEquals(await variables([], { QUEUECTL_TRUST_OWNER: "/some/other.db" }), { QUEUECTL_DB: path });
});

Deno.test("the stop limit is shutdown_timeout, kill_grace and five seconds, of the database and not of the caller", async () => {
  await using box = await poolBox();
  const limit = async (env: Record<string, string> = {}) =>
    readUnit(await box.ok(["service", "print"], { env })).value("TimeoutStopSec");

  assertEquals(await limit(), "infinity");
  await box.ok(["config", "set", "shutdown_timeout", "1m"]);
  await box.ok(["config", "set", "kill_grace", "1500ms"]);
  assertEquals(await limit(), "67s");
  assertEquals(await limit({ QUEUECTL_SHUTDOWN_TIMEOUT: "9m" }), "67s");
});

Deno.test("the unit's command says when its workers are ready, that it lives, and that it stops", async () => {
  await using box = await poolBox();
  using socket = notifySocket(`${box.directory}/notify`);
  const unit = await box.ok(["service", "print", "--count", "2"]);
  const service = await startUnit(box, unit, socket, { WATCHDOG_USEC: "400000" });

  await socket.until("READY=1");
  assertEquals((await box.workers()).filter(({ state }) => state === "running").length, 2);
  await socket.until("WATCHDOG=1", 5);
  await socket.until("STATUS=2 of 2 workers, 0 jobs running");
  const job = await box.gatedJob("long");
  await job.started();

  service.signal("SIGTERM");
  await socket.until("STOPPING=1");
  const before = socket.messages().filter((message) => message === "WATCHDOG=1").length;
  // While jobs finish it is alive, too.
  await socket.until("WATCHDOG=1", before + 2);
  await job.letGo();
  assertEquals((await service.wait()).code, 0);
  assertEquals((await box.json(["show", job.id])).state, "completed");
  await box.untilEmpty();
  assertEquals(socket.messages().filter((message) => message === "READY=1").length, 1);
  assertEquals(socket.messages().filter((message) => message === "STOPPING=1").length, 1);
});

Deno.test("a supervisor that hangs gives no sign of life", async () => {
  await using box = await poolBox();
  using socket = notifySocket(`@${box.directory}/notify`);
  const service = await startUnit(box, await box.ok(["service", "print"]), socket, { WATCHDOG_USEC: "200000" });
  await socket.until("WATCHDOG=1", 2);

  service.signal("SIGSTOP");
  await waitFor(() => stateOf(service.pid) === "T", "the supervisor to stand still");
  const seen = socket.messages().length;
  // Its worker goes on: a job that it runs shows that time has passed for everybody else.
  await box.untilState(await box.ok(["enqueue", "sleep 1"]), "completed");
  assertEquals(socket.messages().length, seen);

  service.signal("SIGCONT");
  await socket.until("WATCHDOG=1", 4);
  service.signal("SIGTERM");
  assertEquals((await service.wait()).code, 0);
});

function stateOf(pid: number): string {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "";
}

Deno.test("neither workers nor jobs get the variables of the service manager", async () => {
  await using box = await poolBox();
  using socket = notifySocket(`@${box.directory}/notify`);
  const service = await startUnit(box, await box.ok(["service", "print"]), socket, {
    WATCHDOG_USEC: "60000000",
    WATCHDOG_PID: "1",
    GREETING: "hello",
  });
  await socket.until("READY=1");

  const [worker] = await box.workers();
  const workerEnvironment = Deno.readTextFileSync(`/proc/${worker!.pid}/environ`);
  const id = await box.ok(["enqueue", "env"]);
  await box.untilState(id, "completed");
  const env = await box.ok(["output", "--stdout", id]);

  for (const text of [workerEnvironment, env]) {
    assertStringIncludes(text, "GREETING=hello");
    assertNotMatch(text, /NOTIFY_SOCKET|WATCHDOG_/);
  }
  // The watchdog is for another process.
  assertEquals(socket.messages().includes("WATCHDOG=1"), false);
  service.signal("SIGTERM");
  assertEquals((await service.wait()).code, 0);

  // Also where nobody reads them: a detached worker of a service that is not ours.
  const job = await box.ok(["run", "env"], { env: { NOTIFY_SOCKET: socket.address, WATCHDOG_USEC: "1" } });
  assertNotMatch(job, /NOTIFY_SOCKET|WATCHDOG_/);
  await box.untilEmpty();
});

Deno.test("within the stop limit of the unit a service with a stubborn job has ended, and the job waits again", async () => {
  await using box = await poolBox();
  await box.ok(["config", "set", "shutdown_timeout", "200ms"]);
  using socket = notifySocket(`${box.directory}/notify`);
  const service = await startUnit(box, await box.ok(["service", "print"]), socket);
  await socket.until("READY=1");
  const job = await box.gatedJob("stubborn", ["--kill-grace", "100ms"]);
  await job.started();

  service.signal("SIGTERM");
  assertEquals((await service.wait()).code, 0);

  assertEquals((await box.json(["show", job.id])).state, "pending");
  await box.untilEmpty();
});

Deno.test("a service manager that cannot be reached is a warning, and the workers work", async () => {
  await using box = await poolBox();
  const service = await box.start(["worker", "start", "--foreground"], { env: { NOTIFY_SOCKET: "relative" } });

  await box.untilWorking(1);

  assertMatch(service.stderr(), /warn: service manager out of reach reason="expected a path or @name: relative"/);
  service.signal("SIGTERM");
  assertEquals((await service.wait()).code, 0);
});

Deno.test("service install writes a unit that systemd accepts, once, and says how to start it", async () => {
  await using box = await poolBox();
  const dir = `${box.directory}/root folder/units`;
  const install = (...options: string[]) => box.run(["service", "install", "--system", "--dir", dir, ...options]);
  const path = `${dir}/queuectl.service`;

  const first = await install();
  assertEquals([first.code, first.stdout], [0, `Wrote ${path}\n`]);
  // With --dir nobody asked whether systemd runs.
  assertNotMatch(first.stderr, /systemd does not run/);
  assertStringIncludes(first.stderr, "Start it now and at each boot:  systemctl enable --now queuectl.service\n");
  await verify(box, path);
  assertEquals((await Deno.stat(path)).mode! & 0o777, 0o644);

  assertEquals((await install()).stdout, `Unchanged: ${path}\n`);
  assertEquals((await install("--count", "3")).stdout, `Replaced ${path}\n`);
  assertStringIncludes(await Deno.readTextFile(path), "--count 3");
  const { result, systemd, started, ...json } = JSON.parse((await install("--count", "3", "--json")).stdout);
  assertEquals([result, systemd, started], ["unchanged", false, false]);
  assertEquals(json, {
    ...{ name: "queuectl.service", scope: "system", user: "root", pool: "default", db: box.db, path },
  });
  assertEquals([...Deno.readDirSync(dir)].map(({ name }) => name), ["queuectl.service"]);
});

Deno.test("service install leaves alone what it did not write, and what somebody edited", async () => {
  await using box = await poolBox();
  const dir = `${box.directory}/units`;
  const path = `${dir}/queuectl.service`;
  const install = (...options: string[]) => box.run(["service", "install", "--dir", dir, ...options]);
  await Deno.mkdir(dir);
  await Deno.writeTextFile(path, "[Service]\nExecStart=/bin/true\n");

  const foreign = await install();
  assertEquals(foreign.code, 4);
  assertStringIncludes(foreign.stderr, `Cannot replace "${path}": queuectl did not write it\n`);
  assertEquals((await box.run(["service", "uninstall", "--dir", dir])).code, 4);
  assertEquals(await Deno.readTextFile(path), "[Service]\nExecStart=/bin/true\n");

  assertEquals((await install("--replace")).code, 0);
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("RestartSec=5s", "RestartSec=9s"));
  assertStringIncludes((await install("--count", "2")).stderr, "it was edited since queuectl wrote it");
  assertStringIncludes(await Deno.readTextFile(path), "RestartSec=9s");

  // A masked unit is a link to /dev/null.
  await Deno.remove(path);
  await Deno.symlink("/dev/null", path);
  assertEquals((await install()).code, 4);
  assertEquals(await Deno.readLink(path), "/dev/null");
});

Deno.test("service install --now asks systemd to start it, and uninstall to stop it", async () => {
  await using box = await poolBox();
  const systemctl = await fakeSystemctl(box, "running");
  const path = `${box.home}/.config/systemd/user/queuectl-mail.service`;

  assertEquals(
    await box.ok(["service", "install", "--user", "--pool", "mail", "--now"], { env: systemctl.env }),
    `Wrote ${path}`,
  );
  assertEquals(await systemctl.calls(), [
    "--user is-system-running",
    "--user daemon-reload",
    "--user enable --now queuectl-mail.service",
  ]);

  assertEquals(
    await box.ok(["service", "uninstall", "--user", "--pool", "mail"], { env: systemctl.env }),
    `Removed ${path}`,
  );
  assertEquals((await systemctl.calls()).slice(3), [
    "--user is-system-running",
    "--user disable --now queuectl-mail.service",
    "--user daemon-reload",
  ]);
  assertEquals((await box.run(["service", "uninstall", "--user", "--pool", "mail"])).code, 3);
});

Deno.test("where systemd does not run, service install writes the unit and says so; --now fails", async () => {
  await using box = await poolBox();
  const systemctl = await fakeSystemctl(box, "offline");
  const path = `${box.home}/.config/systemd/user/queuectl.service`;

  const installed = await box.run(["service", "install", "--user"], { env: systemctl.env });
  assertEquals([installed.code, installed.stdout], [0, `Wrote ${path}\n`]);
  assertMatch(installed.stderr, /^systemd does not run here, or cannot be reached: nothing was started\.$/m);
  assertStringIncludes(installed.stderr, `loginctl enable-linger ${await userName(box)}`);
  const now = await box.run(["service", "install", "--user", "--now"], { env: systemctl.env });
  assertEquals([now.code, now.stdout], [1, ""]);
  assertMatch(now.stderr, /^queuectl: Cannot start queuectl\.service: systemd does not run here/);

  // As `systemctl enable` leaves it.
  const wants = `${box.home}/.config/systemd/user/default.target.wants`;
  await Deno.mkdir(wants);
  await Deno.symlink(path, `${wants}/queuectl.service`);
  assertEquals(await box.ok(["service", "uninstall", "--user"], { env: systemctl.env }), `Removed ${path}`);
  assertEquals([...Deno.readDirSync(wants)], []);
  assertEquals(await systemctl.calls(), Array(3).fill("--user is-system-running"));
});

Deno.test("a pool in the background is in the way of a service of the same pool", async () => {
  await using box = await poolBox();
  const systemctl = await fakeSystemctl(box, "running");
  await box.ok(["worker", "start"]);

  const now = await box.run(["service", "install", "--user", "--now"], { env: systemctl.env });
  assertEquals(now.code, 4);
  assertMatch(now.stderr, /Cannot start queuectl\.service: pool "default" runs in the background\n/);
  assertMatch(now.stderr, /^Try: queuectl worker stop --pool default$/m);
  const later = await box.run(["service", "install", "--user"], { env: systemctl.env });
  assertEquals(later.code, 0);
  assertMatch(later.stderr, /warning: pool default runs in the background/);

  await box.ok(["worker", "stop"]);
  assertEquals((await box.run(["service", "install", "--user", "--now"], { env: systemctl.env })).code, 0);
});

Deno.test("what systemctl says against a start is told, with the next step", async () => {
  await using box = await poolBox();
  const systemctl = await fakeSystemctl(box, "running", "enable");

  const failed = await box.run(["service", "install", "--user", "--now"], { env: systemctl.env });

  assertEquals(failed.code, 1);
  assertMatch(failed.stderr, /systemctl --user enable --now queuectl\.service failed: Unit is bad\n/);
  assertMatch(failed.stderr, /^Try: systemctl --user status queuectl\.service$/m);
});

/** A `systemctl` on PATH that notes its calls and fails for one verb. */
async function fakeSystemctl(box: PoolBox, state: string, failing = "none") {
  const folder = `${box.directory}/fake`;
  const calls = `${box.directory}/systemctl.calls`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    `${folder}/systemctl`,
    `#!/bin/sh
echo "$*" >>'${calls}'
case "$*" in
*is-system-running*) echo ${state} ;;
*${failing}*) echo 'Unit is bad' >&2; exit 1 ;;
esac
`,
    { mode: 0o755 },
  );
  return {
    env: { PATH: `${folder}:${Deno.env.get("PATH")}` },
    calls: async () => (await Deno.readTextFile(calls)).trimEnd().split("\n"),
  };
}

for (
  const { args, code, message, db } of <{ args: string[]; code: number; message: RegExp; db?: "usual" }[]> [
    { args: ["print", "--user", "--system"], code: 2, message: /Cannot use both --user and --system: give one/ },
    { args: ["print", "--user", "--run-as", "root"], code: 2, message: /Cannot use --run-as with --user/ },
    { args: ["print", "--system", "--run-as", "no-such-user"], code: 3, message: /No user "no-such-user"/ },
    {
      args: ["print", "--system", "--run-as", "daemon"],
      code: 2,
      message: /user "daemon" has no home directory of its/,
      db: "usual",
    },
    { args: ["print", "--name", "a/b"], code: 2, message: /Invalid --name "a\/b"/ },
    { args: ["print", "--pool", "foreground"], code: 4, message: /Cannot make a service of pool "foreground"/ },
    { args: ["print", "--count", "0"], code: 2, message: /Invalid count 0/ },
    { args: ["print", "--db", "postgres://u:secret@h/d"], code: 2, message: /that is a URL/ },
    { args: ["print", "--db", "/a\nUser=root"], code: 2, message: /it has control characters/ },
    { args: ["print", "--workers", "3"], code: 2, message: /Unknown option "--workers"/ },
    { args: ["install", "--dir", "/proc/nowhere"], code: 1, message: /Cannot write "\/proc\/nowhere/ },
    { args: ["uninstall", "--dir", "/nowhere"], code: 3, message: /No unit "\/nowhere\/queuectl\.service"/ },
    { args: ["start"], code: 2, message: /Unknown command "service start"/ },
  ]
) {
  Deno.test(`service ${args.join(" ")} is refused with exit code ${code}`, async () => {
    await using box = await poolBox();

    const env = db === "usual" ? { QUEUECTL_DB: undefined } : {};
    const refused = await box.run(["service", ...args], { env });

    assertMatch(refused.stderr, message);
    assertNotMatch(refused.stderr, /secret/);
    assertEquals([refused.code, refused.stdout], [code, ""]);
  });
}
