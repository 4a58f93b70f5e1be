/** docs/upgrading.md, taken at its word: a program is replaced on disk while a pool of it runs. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { SCHEMA_VERSION } from "../../lib/store/sqlite/migrate.ts";
import { Ledger } from "../support/ledger.ts";
import { EARLIER_VERSION, earlierProgram, FUTURE_VERSION, futureProgram } from "../support/other_programs.ts";
import { type PoolBox, poolBox, type SeenWorker } from "../support/pool_box.ts";
import { waitFor } from "../support/wait_for.ts";

/** The runner removes it. */
const FOLDER = await Deno.makeTempDir({ prefix: "programs-" });
const EARLIER = await earlierProgram(FOLDER);
const FUTURE = await futureProgram(FOLDER);

/** A queuectl on PATH that can be replaced. */
interface Installed {
  readonly path: string;
  /** Runs a block of the page. `to` is the program that it installs. */
  documented(heading: string, to: string): Promise<string>;
  /** Whether a process runs the file that is there now, and not the one before. */
  isRunBy(pid: number): boolean;
}

async function installed(box: PoolBox, first: string): Promise<Installed> {
  const bin = `${box.directory}/with space/bin`;
  const path = `${bin}/queuectl`;
  await Deno.mkdir(bin, { recursive: true });
  await Deno.copyFile(first, path);
  return {
    path,
    async documented(heading, to) {
      const block = blockBelow(heading).replaceAll(/\.\/queuectl-(?:old|new)/g, `'${to}'`)
        .replaceAll(/\/usr\/local\/bin\/[\w.]+/g, (found) => `'${found.replace("/usr/local/bin", bin)}'`);
      const { code, stdout, stderr } = await box.run(["-ec", block], {
        program: "/bin/sh",
        env: { PATH: `${bin}:${Deno.env.get("PATH")}` },
      });
      assertEquals(code, 0, `${block}\n${stdout}${stderr}`);
      return stdout + stderr;
    },
    isRunBy: (pid) => Deno.statSync(`/proc/${pid}/exe`).ino === Deno.statSync(path).ino,
  };
}

/** The first commands below a heading of the page. */
function blockBelow(heading: string): string {
  const text = Deno.readTextFileSync(new URL("../../docs/upgrading.md", import.meta.url));
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`));
  const block = section?.match(/^```sh\n(.*?)^```/ms)?.[1];
  if (block === undefined) throw new Error(`docs/upgrading.md has no commands below "${heading}"`);
  return block;
}

/** A job that writes to the ledger, waits until `file` is there, and writes again. */
function gated(ledger: Ledger, file: string): string {
  const note = `echo "$1 $QUEUECTL_JOB_ID $QUEUECTL_RUN $QUEUECTL_CLAIM" >>'${ledger.path}'`;
  return `note() { ${note}; }; note start; until [ -e '${file}' ]; do sleep 0.02; done; note end; echo finished`;
}

function assertOnce(ledger: Ledger, ids: readonly string[]): void {
  for (const id of ids) {
    const lines = ledger.lines().filter(({ job, what }) => job === id && what !== "tick").map(({ what, run }) =>
      `${what} ${run}`
    );
    assertEquals(lines, ["start 1", "end 1"], id);
  }
}

async function isRunning(ledger: Ledger, id: string): Promise<void> {
  await waitFor(() => ledger.starts(id) === 1, `job ${id} to run`);
}

Deno.test("a newer program over a running pool: nothing is lost or run twice, and going back works the same way", async () => {
  await using box = await poolBox();
  const ledger = new Ledger(box);
  const program = await installed(box, EARLIER);
  const go = `${box.directory}/go`;
  const old = { program: program.path };
  assertEquals(await box.ok(["version"], old), `queuectl ${EARLIER_VERSION}`);
  await box.ok(["worker", "start", "--count", "2"], old);
  const oldWorkers = await working(box, 2);
  const running = await box.ok(["enqueue", gated(ledger, go)], old);
  const client = await box.start(["run", "--id", "shown", gated(ledger, go)], old);
  const later = await box.ok(["enqueue", "--delay", "5s", ledger.command()], old);
  await isRunning(ledger, running);
  await isRunning(ledger, "shown");

  // Only the file is replaced: everything works, and the old workers go on.
  await Deno.copyFile(box.binary, `${program.path}.new`);
  await Deno.rename(`${program.path}.new`, program.path);
  const early = await box.ok(["enqueue", ledger.command()], old);
  const ran = await box.untilState(early, "completed");
  assert(oldWorkers.some(({ id }) => id === ran.worker_id), "an old worker ran it");
  assertEquals(oldWorkers.some(({ pid }) => program.isRunBy(pid)), false);
  const status = await box.run(["status"], old);
  assertStringIncludes(
    status.stderr,
    `pool default runs queuectl ${EARLIER_VERSION}, this is ${config.version}: queuectl worker restart\n`,
  );

  await program.documented("In short", box.binary);

  const workers = await working(box, 2);
  const { pools: [pool] } = await box.json(["status"]);
  assertEquals(workers.map(({ pid }) => program.isRunBy(pid)), [true, true]);
  assertEquals(versionsOf(workers), [config.version, config.version]);
  assertEquals([pool.supervisor.version, program.isRunBy(pool.supervisor.pid)], [config.version, true]);
  assertEquals((await box.json(["show", running])).state, "processing");
  assertEquals((await box.run(["status"])).stderr.includes("this is"), false);

  await Deno.writeTextFile(go, "");
  const finished = await box.untilState(running, "completed");
  assertEquals([finished.runs.length, oldWorkers.some(({ id }) => id === finished.worker_id)], [1, true]);
  const { code, stdout } = await client.wait();
  assertEquals([code, stdout], [0, "finished\n"]);
  const afterwards = await box.ok(["enqueue", ledger.command()], old);
  await box.untilState(afterwards, "completed");
  await box.untilState(later, "completed");

  await program.documented("Going back, same schema", EARLIER);

  assertEquals(versionsOf(await working(box, 2)), [EARLIER_VERSION, EARLIER_VERSION]);
  const back = await box.ok(["enqueue", ledger.command()], old);
  await box.untilState(back, "completed");
  const all = await box.json<{ id: string; state: string }[]>(["list", "--limit", "0"], old);
  assertEquals(all.length, 6);
  assertEquals(all.filter(({ state }) => state !== "completed"), []);
  assertOnce(ledger, all.map(({ id }) => id));
  await box.ok(["doctor"], old);
  await box.ok(["worker", "stop"], old);
  await box.untilEmpty();
});

Deno.test("a program with a newer schema over a running pool: workers drain, results are kept, and there is a way back", async () => {
  await using box = await poolBox();
  const ledger = new Ledger(box);
  const program = await installed(box, box.binary);
  const go = `${box.directory}/go`;
  const old = { program: program.path };
  await box.ok(["worker", "start", "--count", "2"], old);
  const running = await box.ok(["enqueue", gated(ledger, go)], old);
  const client = await box.start(["run", "--id", "shown", gated(ledger, go)], old);
  const waiting = await box.ok(["enqueue", "--delay", "1h", ledger.command()], old);
  await isRunning(ledger, running);
  await isRunning(ledger, "shown");

  await Deno.copyFile(FUTURE, `${program.path}.new`);
  await Deno.rename(`${program.path}.new`, program.path);
  const reading = await box.run(["list"], old);
  assertEquals(reading.code, 5);
  assertStringIncludes(reading.stderr, "it was written by an older queuectl");
  await program.documented("In short", FUTURE);

  const refused = await box.run(["enqueue", "true"]);
  assertEquals(refused.code, 5);
  assertStringIncludes(refused.stderr, `(schema ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION})`);
  await Deno.writeTextFile(go, "");
  await box.ok(["wait", running, "--timeout", "60s"], old);
  const { code, stdout } = await client.wait();
  assertEquals([code, stdout], [0, "finished\n"]);
  const next = await box.ok(["enqueue", ledger.command()], old);
  await box.ok(["wait", next, "--timeout", "60s"], old);
  assertEquals(versionsOf(await working(box, 2, program.path)), [FUTURE_VERSION, FUTURE_VERSION]);
  const all = await box.json<{ id: string }[]>(["list", "--limit", "0"], old);
  assertEquals(all.length, 4);
  assertOnce(ledger, all.map(({ id }) => id).filter((id) => id !== waiting));
  const backups = [...Deno.readDirSync(`${box.folder}/backups`)].map(({ name }) => name);
  assertEquals(backups.length, 1);
  assertMatch(backups[0] ?? "", new RegExp(`^before-schema-${SCHEMA_VERSION + 1}-`));

  await program.documented("Going back, older schema", box.binary);

  assertEquals(versionsOf(await working(box, 2)), [config.version, config.version]);
  assertEquals((await box.json(["show", waiting])).state, "scheduled");
  await box.untilState(running, "completed");
  await box.ok(["doctor"]);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("a supervisor in the foreground stays after worker restart: its command and status say so", async () => {
  await using box = await poolBox();
  const program = await installed(box, EARLIER);
  const old = { program: program.path };
  const supervisor = await box.start(["worker", "start", "--foreground"], old);
  await box.untilWorking(1);
  await Deno.copyFile(box.binary, `${program.path}.new`);
  await Deno.rename(`${program.path}.new`, program.path);

  const restarted = await box.run(["worker", "restart"], old);

  assertEquals(restarted.code, 0, restarted.stderr);
  assertStringIncludes(
    restarted.stderr,
    `The supervisor is still queuectl ${EARLIER_VERSION}: restart its service to replace it, too\n`,
  );
  assertEquals(versionsOf(await working(box, 1)), [config.version]);
  assertStringIncludes(
    (await box.run(["status"])).stderr,
    `the supervisor of pool default is queuectl ${EARLIER_VERSION}, this is ${config.version}: restart its service\n`,
  );
  supervisor.signal("SIGTERM");
  assertEquals((await supervisor.wait()).code, 0);
  await box.untilEmpty();
});

interface VersionedWorker extends SeenWorker {
  readonly version: string;
}

/** Waits until exactly so many workers of the pool take jobs; that of `queuectl run` is not one of them. */
async function working(box: PoolBox, count: number, program = box.binary): Promise<readonly VersionedWorker[]> {
  return await waitFor(async () => {
    const workers = await box.json<VersionedWorker[]>(["worker", "status", "--pool", "default"], { program });
    const running = workers.filter(({ state }) => state === "running");
    return running.length === count && running;
  }, `${count} workers that take jobs`);
}

const versionsOf = (workers: readonly VersionedWorker[]) => workers.map(({ version }) => version);
