/** The supervisor and the commands to it, with puppets for workers. Real ones: tests/faults/supervisor_test.ts. @module */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConflictError, NotFoundError, QueuectlError } from "../../../lib/core/errors.ts";
import { restartPool, scalePool, startPool, stopPool, workingIn } from "../../../lib/worker/pool_control.ts";
import { wakeSupervisors } from "../../../lib/worker/pool_files.ts";
import { type PuppetPool, puppetPool } from "../../support/puppet_pool.ts";
import { waitFor } from "../../support/wait_for.ts";

const ids = (workers: readonly { id: string }[]) => workers.map(({ id }) => id).sort();
const has = (pool: PuppetPool, event: string) => pool.log.some((line) => line.event === event);

Deno.test("startPool() waits for its workers; again it says that they run; with other options it refuses", async () => {
  await using pool = await puppetPool();

  const first = await startPool(pool.control, { count: 2 });
  const again = await startPool(pool.control, { count: 2 });

  assertEquals([first.how, workingIn(first.seen).length], ["started", 2]);
  assertEquals([again.how, ids(workingIn(again.seen))], ["running", ids(workingIn(first.seen))]);
  await assertRejects(() => startPool(pool.control, { count: 3 }), ConflictError, "--count is 2");
  assertEquals(pool.started.length, 2);
});

Deno.test("scalePool() starts what is missing and drains what is too much", async () => {
  await using pool = await puppetPool();
  await startPool(pool.control, { count: 1 });

  assertEquals(workingIn(await scalePool(pool.control, 3)).length, 3);
  await scalePool(pool.control, 1);

  await pool.untilWorkers(1);
  assertEquals(pool.log.filter(({ event }) => event === "worker drains").length, 2);
});

Deno.test("stopPool() ends all workers and forgets the pool", async () => {
  await using pool = await puppetPool();
  await startPool(pool.control, { count: 2 });

  assertEquals(await stopPool(pool.control, null), true);

  assertEquals(await pool.workers(), []);
  assertEquals(await pool.temp.store.pools.find(pool.key), undefined);
  assertEquals(await stopPool(pool.control, null), false);
});

Deno.test("at the time of release workers are told a second time", async () => {
  await using pool = await puppetPool({ trap: "n=$((n + 1)); [ $n -lt 2 ] || exit 0" });
  await startPool(pool.control, { count: 1 });

  const patient = stopPool(pool.control, null);
  await waitFor(() => has(pool, "worker drains"), "the first time");
  await Promise.all([patient, stopPool(pool.control, Date.now())]);

  assertEquals(pool.log.filter(({ event }) => /drains|gives/.test(event)).map(({ event }) => event), [
    "worker drains",
    "worker gives its jobs back",
  ]);
});

Deno.test("a second signal to the supervisor is for its workers, too", async () => {
  await using pool = await puppetPool({ trap: ":" });
  await pool.temp.store.pools.put(pool.key, { count: 1, concurrency: null, queues: null });
  const supervisor = pool.supervise();
  await pool.untilWorkers(1);

  supervisor.signal();
  await waitFor(() => has(pool, "worker drains"), "the first");
  supervisor.signal();

  await waitFor(() => has(pool, "worker gives its jobs back"), "the second");
});

Deno.test("workers that live are adopted; the dead among them are replaced", async () => {
  await using pool = await puppetPool();
  await pool.temp.store.pools.put(pool.key, { count: 2, concurrency: null, queues: null });
  const orphan = await pool.addWorker();

  const { how, seen } = await startPool(pool.control, {});
  assertEquals([how, seen.workers.some(({ id }) => id === orphan.id)], ["adopted", true]);
  Deno.kill(orphan.pid, "SIGKILL");

  await waitFor(() => has(pool, "worker died"), "its death to be seen");
  const after = await pool.untilWorkers(2);
  assert(after.every(({ id }) => id !== orphan.id));
});

Deno.test("a worker that drains by itself is not told so again, and another is started", async () => {
  await using pool = await puppetPool({ trap: ":" });
  await startPool(pool.control, { count: 1 });
  const [worker] = await pool.workers();

  await pool.setDraining(worker!.id);
  wakeSupervisors(pool.temp.store.folder);

  await pool.untilWorkers(2);
  assertEquals(has(pool, "worker drains"), false);
});

Deno.test("a restart in the foreground replaces the workers; in the background the supervisor, too", async () => {
  await using pool = await puppetPool();
  await pool.temp.store.pools.put(pool.key, { count: 2, concurrency: null, queues: null });
  pool.supervise({ isForeground: true });
  const before = ids(await pool.untilWorkers(2));

  const seen = await restartPool(pool.control, { concurrency: 4 });

  assertEquals([seen.pool?.generation, seen.pool?.concurrency], [2, 4]);
  assert(workingIn(seen).every(({ id }) => !before.includes(id)));

  await using other = await puppetPool();
  await other.temp.store.pools.put(other.key, { count: 1, concurrency: null, queues: null });
  const supervisor = other.supervise();
  await other.untilWorkers(1);
  await other.temp.store.pools.restart(other.key);
  wakeSupervisors(other.temp.store.folder);
  assertEquals(await supervisor.ended, "replaced");
  assertEquals((await other.workers()).length, 1);
});

Deno.test("a pool whose workers do not start gives up, with the reason", async () => {
  await using pool = await puppetPool();
  const { store } = pool.temp;
  Deno.mkdirSync(`${store.folder}/logs`, { recursive: true });
  const startSupervisor = () =>
    void pool.supervise({
      startWorker: () => {
        throw new QueuectlError("failed", "no such program");
      },
      log: {
        debug() {},
        info() {},
        warn() {},
        error: (event, fields) => {
          const entry = { time: new Date().toISOString(), level: "error", event, fields };
          Deno.writeTextFileSync(`${store.folder}/logs/worker-puppets.log`, `${JSON.stringify(entry)}\n`, {
            append: true,
          });
        },
      },
    });

  const starting = startPool({ ...pool.control, startSupervisor }, {});

  await assertRejects(() => starting, QueuectlError, 'Cannot start the workers of pool "puppets": no such program');
  await waitFor(async () => await store.pools.find(pool.key) === undefined, "the pool to be forgotten");
});

Deno.test("a worker that finds its pool stopped while it starts is no failure", async () => {
  await using pool = await puppetPool();
  await pool.temp.store.pools.put(pool.key, { count: 1, concurrency: null, queues: null });
  const startWorker = () => {
    const child = new Deno.Command("/bin/sh", { args: ["-c", "exit 0"], stdin: "null" }).spawn();
    return { pid: child.pid, ended: () => child.status };
  };

  const supervisor = pool.supervise({ startWorker });

  await waitFor(() => has(pool, "worker not needed any more"), "its end to be seen");
  assert(!pool.log.some(({ level }) => level === "error"));
  supervisor.signal();
  assertEquals(await supervisor.ended, "stopped");
});

Deno.test("what is not there cannot be scaled or restarted, and .stop_workers keeps all from starting", async () => {
  await using pool = await puppetPool();
  await assertRejects(() => scalePool(pool.control, 2), NotFoundError, 'No pool "puppets"');
  await assertRejects(() => restartPool(pool.control, {}), NotFoundError, 'No pool "puppets"');
  await startPool(pool.control, { count: 2 });

  await Deno.writeTextFile(`${pool.temp.store.folder}/.stop_workers`, "");
  wakeSupervisors(pool.temp.store.folder);

  await pool.untilWorkers(0);
  await assertRejects(() => startPool(pool.control, {}), ConflictError, ".stop_workers exists");
  await assertRejects(() => scalePool(pool.control, 2), ConflictError, ".stop_workers exists");
});

Deno.test("a supervisor whose database is gone ends", async () => {
  await using pool = await puppetPool();
  const { store, path } = pool.temp;
  await store.pools.put(pool.key, { count: 1, concurrency: null, queues: null });
  let successors = 0;
  const startSuccessor = () => Promise.resolve(++successors > 0);
  const supervisor = pool.supervise({ startSuccessor });
  await pool.untilWorkers(1);

  await Deno.rename(path, `${path}.old`);
  wakeSupervisors(store.folder);

  assertEquals(await supervisor.ended, "replaced");
  assertEquals(successors, 0);
  await Deno.rename(`${path}.old`, path);
});
