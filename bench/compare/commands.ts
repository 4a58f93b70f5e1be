/**
 * Tools that are programs: queuectl, xargs, GNU parallel, task-spooler and nq.
 * @module
 */
import { type Box, sleep, until } from "./box.ts";
import { NotMeasured, type Peer } from "./peer.ts";
import { pickupsBy } from "./pickup.ts";
import { familyOf, processesWith } from "./processes.ts";

/** Each job that waits in task-spooler holds a connection to its server, which takes 1,000 and then no more. */
const TASK_SPOOLER_JOBS = 900;

const QUEUECTL: Peer = {
  name: "queuectl",
  title: "queuectl",
  debian: [],
  npm: [],
  async prepare(box, { queuectl }) {
    const version = (await box.output([queuectl, "version"])).trim().replace("queuectl ", "");
    const at = (db: string, ...args: string[]) => [queuectl, "--db", db, ...args];
    const db = box.path("queue");
    await box.run(at(db, "status"));
    const fill = async (into: string, count: number) => {
      const file = box.path("jobs");
      await Deno.writeTextFile(file, '{"command":"true"}\n'.repeat(count));
      const took = await box.run(at(into, "enqueue-batch", "--quiet", file));
      await Deno.remove(file);
      return took;
    };
    return {
      version,
      async drain(jobs, slots) {
        const own = box.path("queue");
        await fill(own, jobs);
        const wholeMs = await box.run(at(own, "worker", "run", "--quiet", "--concurrency", `${slots}`, "--drain"));
        const text = await box.output(at(own, "list", "--json", "--limit", "0", "--state", "completed"));
        const done: { started_at: string; finished_at: string }[] = JSON.parse(text);
        if (done.length !== jobs) throw new Error(`queuectl completed ${done.length} of ${jobs} jobs`);
        const first = Math.min(...done.map((job) => Date.parse(job.started_at)));
        const last = Math.max(...done.map((job) => Date.parse(job.finished_at)));
        return { jobs, wholeMs, workMs: last - first };
      },
      enqueue: () => box.run(at(db, "enqueue", "true")),
      async pickups({ pickups }) {
        const own = box.path("queue");
        await box.run(at(own, "status"));
        const worker = box.start(at(own, "worker", "run", "--quiet"));
        await sleep(500);
        const measured = await pickupsBy(box, pickups, (command) => box.run(at(own, "enqueue", command)));
        await worker.end();
        return measured;
      },
      bulk: async ({ bulk }) => bulk * 1_000 / await fill(box.path("queue"), bulk),
      async idle() {
        const own = box.path("queue");
        // As it runs under an init system: a supervisor and its worker.
        const pool = box.start(at(own, "worker", "start", "--foreground", "--concurrency", "4"));
        await until("the worker of queuectl runs", () => familyOf(pool.pid).length > 1);
        return {
          worker: () => familyOf(pool.pid).filter((pid) => pid !== pool.pid),
          server: () => [pool.pid],
          stop: () => pool.end(),
        };
      },
    };
  },
};

const XARGS: Peer = {
  name: "xargs",
  title: "xargs",
  debian: ["findutils"],
  npm: [],
  async prepare(box) {
    const version = await versionOf(box, "xargs", ["--version"]);
    return {
      version,
      drain: async (jobs, slots) => ({
        jobs,
        wholeMs: await shell(box, `seq ${jobs} | xargs -P ${slots} -I N sh -c true`),
      }),
    };
  },
};

const PARALLEL: Peer = {
  name: "parallel",
  title: "GNU parallel",
  debian: ["parallel"],
  npm: [],
  async prepare(box) {
    const version = await versionOf(box, "parallel", ["--version"]);
    const env = { PARALLEL_HOME: await box.newFolder("parallel"), PARALLEL_SHELL: "/bin/sh" };
    return {
      version,
      // It runs each line by a shell: `sh -c "true 1"`.
      drain: async (jobs, slots) => ({
        jobs,
        wholeMs: await shell(box, `seq ${jobs} | parallel --will-cite -j ${slots} true`, env),
      }),
    };
  },
};

const TASK_SPOOLER: Peer = {
  name: "task-spooler",
  title: "task-spooler",
  debian: ["task-spooler"],
  npm: [],
  async prepare(box) {
    const version = await versionOf(box, "tsp", ["-V"]);
    /** A server with its own socket. */
    const server = async () => {
      const folder = await box.newFolder("tsp");
      const env = { TS_SOCKET: `${folder}/socket`, TMPDIR: folder, TS_MAXFINISHED: "10", TS_SLOTS: "1" };
      await box.run(["tsp", "true"], { env });
      return { env, stop: () => box.run(["tsp", "-K"], { env }) };
    };
    const { env } = await server();
    return {
      version,
      async drain(wanted, slots) {
        const jobs = Math.min(wanted, TASK_SPOOLER_JOBS);
        const own = await server();
        const gate = `${own.env.TMPDIR}/gate`;
        const add = `for i in $(seq ${jobs}); do tsp sh -c true; done >/dev/null`;
        await shell(box, `mkfifo '${gate}'; tsp sh -c ': <"${gate}"' >/dev/null; ${add}`, own.env);
        // The jobs wait behind the first one until somebody opens the gate.
        const wholeMs = await shell(box, `tsp -S ${slots}; : >'${gate}'; tsp -w`, own.env);
        await own.stop();
        return { jobs, wholeMs };
      },
      enqueue: () => box.run(["tsp", "sh", "-c", "true"], { env }),
      pickups: ({ pickups }) => pickupsBy(box, pickups, (command) => box.run(["tsp", "sh", "-c", command], { env })),
      async bulk({ commands }) {
        const own = await server();
        const took = await shell(box, `for i in $(seq ${commands}); do tsp sh -c true; done >/dev/null`, own.env);
        await own.stop();
        return commands * 1_000 / took;
      },
      async idle() {
        const own = await server();
        await box.run(["tsp", "-w"], own);
        const pids = processesWith("TS_SOCKET", own.env.TS_SOCKET);
        return { worker: () => pids, server: () => [], stop: () => own.stop().then(() => {}) };
      },
    };
  },
};

const NQ: Peer = {
  name: "nq",
  title: "nq",
  debian: ["nq"],
  npm: [],
  async prepare(box) {
    const version = await debianVersion(box, "nq", "nq");
    const environment = async () => ({ NQDIR: await box.newFolder("nq") });
    const loop = (count: number) => `for i in $(seq ${count}); do nq sh -c true; done >/dev/null`;
    const env = await environment();
    return {
      version,
      mostSlots: 1,
      // Jobs run while others are added: a waiting job is a process that looks at all the others.
      drain: async (jobs) => ({ jobs, wholeMs: await shell(box, `${loop(jobs)}; nq -w`, await environment()) }),
      enqueue: () => box.run(["nq", "sh", "-c", "true"], { env }),
      pickups: ({ pickups }) => pickupsBy(box, pickups, (command) => box.run(["nq", "sh", "-c", command], { env })),
      async bulk({ commands }) {
        const own = await environment();
        const took = await shell(box, loop(commands), own);
        await box.run(["nq", "-w"], { env: own });
        return commands * 1_000 / took;
      },
      idle: () => Promise.resolve({ worker: () => [], server: () => [], stop: () => Promise.resolve() }),
    };
  },
};

export const COMMAND_PEERS: readonly Peer[] = [QUEUECTL, XARGS, TASK_SPOOLER, NQ, PARALLEL];

/** Runs a script. Returns the milliseconds it took. */
function shell(box: Box, script: string, env: Readonly<Record<string, string>> = {}): ReturnType<Box["run"]> {
  return box.run(["/bin/sh", "-c", script], { env });
}

/** The first number with a dot, or with many digits, of what the program says about itself. */
async function versionOf(box: Box, program: string, args: readonly string[]): Promise<string> {
  try {
    const text = await box.output([program, ...args]);
    return /\d+(\.\d+)+|\d{6,}/.exec(text)?.[0] ?? "of an unknown version";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new NotMeasured(`${program} is not installed`);
  }
}

/** For programs that cannot tell their version. */
async function debianVersion(box: Box, program: string, name: string): Promise<string> {
  const which = await box.output(["/bin/sh", "-c", `command -v ${program} || true`]);
  if (which.trim() === "") throw new NotMeasured(`${program} is not installed`);
  const version = await box.output(["/bin/sh", "-c", `dpkg-query -W -f '\${Version}' ${name} 2>/dev/null || true`]);
  return version === "" ? "of an unknown version" : version;
}
