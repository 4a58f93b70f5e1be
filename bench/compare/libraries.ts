/**
 * Tools that are Node libraries with a server behind them. A driver of this
 * project uses each as its manual does; every step is a Node process.
 * @module
 */
import { join } from "node:path";
import type { Box } from "./box.ts";
import { NotMeasured, type Peer, type Pickup, type ReadyPeer } from "./peer.ts";
import { familyOf } from "./processes.ts";
import { type Server, startPostgres, startRedis } from "./servers.ts";

interface Library {
  readonly name: string;
  readonly title: string;
  /** File in the folder `driver`, without `.mjs`. */
  readonly driver: string;
  readonly debian: readonly string[];
  readonly npm: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Looks for jobs every two seconds, so that a pickup takes a second on average. */
  readonly isSlow?: boolean;
  /** The rest is measured under another name. */
  readonly isPickupOnly?: boolean;
  readonly serverName: string;
  start(box: Box): Promise<Server>;
}

const BULLMQ = { driver: "bullmq", debian: ["redis-server"], npm: ["bullmq@5"], serverName: "Redis" };
// Newer ones depend on a release of rrule-temporal that not every registry has.
const PG_BOSS = { driver: "pgboss", npm: ["pg-boss@~12.35.0", "pg@8"] };
const POSTGRES = { debian: ["postgresql"], serverName: "PostgreSQL", start: startPostgres };

const LIBRARIES: readonly Library[] = [
  { ...BULLMQ, name: "bullmq", title: "BullMQ", start: (box) => startRedis(box, []) },
  {
    ...BULLMQ,
    name: "bullmq-durable",
    title: "BullMQ, Redis with fsync",
    start: (box) => startRedis(box, ["--appendonly", "yes", "--appendfsync", "always"]),
  },
  {
    ...POSTGRES,
    name: "graphile-worker",
    title: "graphile-worker",
    driver: "graphile",
    npm: ["graphile-worker@0", "pg@8"],
  },
  { ...POSTGRES, ...PG_BOSS, name: "pg-boss", title: "pg-boss", isSlow: true },
  {
    ...POSTGRES,
    ...PG_BOSS,
    name: "pg-boss-notify",
    title: "pg-boss with notify",
    env: { NOTIFY: "1" },
    isPickupOnly: true,
  },
];

/** The newest of these libraries need it; Debian 12 has an older one. */
export const NODE_PACKAGE = "node@22";

export const LIBRARY_PEERS: readonly Peer[] = LIBRARIES.map((library) => ({
  name: library.name,
  title: library.title,
  debian: library.debian,
  npm: library.npm,
  prepare: (box, { packages }) => prepare(box, library, packages),
}));

async function prepare(box: Box, library: Library, packages: string): Promise<ReadyPeer> {
  const version = await versions(packages, library);
  const server = await library.start(box);
  const driver = await placed(packages, library.driver);
  const node = join(packages, "node_modules", ".bin", "node");
  const env = { ...server.env, ...library.env };
  const argv = (...args: (string | number)[]) => [node, driver, ...args.map(String)];
  const result = async <T>(...args: (string | number)[]): Promise<T> =>
    JSON.parse(await box.output(argv(...args), { env }));
  const work = async (slots: number) => {
    const worker = box.start(argv("work", slots), { env });
    // It says so when it is connected.
    await worker.line();
    return worker;
  };
  await result("setup");

  const pickups: ReadyPeer["pickups"] = async ({ pickups, slowPickups }) => {
    await result("setup");
    const worker = await work(1);
    const fifo = box.path("fifo");
    await box.run(["mkfifo", fifo]);
    const measured = await result<Pickup[]>("pickups", library.isSlow ? slowPickups : pickups, fifo);
    await worker.end();
    return measured;
  };
  const about = { version: `${version} + ${library.serverName} ${server.version}` };
  if (library.isPickupOnly) return { ...about, pickups };
  return {
    ...about,
    pickups,
    async drain(jobs, slots) {
      await result("setup");
      await result("bulk", jobs - 1);
      const start = performance.now();
      const { workMs } = await result<{ workMs: number }>("drain", jobs, slots);
      return { jobs, wholeMs: performance.now() - start, workMs };
    },
    enqueue: () => box.run(argv("add1"), { env }),
    add: async (count) => (await result<{ ms: number }>("add", count)).ms,
    async bulk({ bulk }) {
      await result("setup");
      const { rate } = await result<{ rate: number }>("bulk", bulk);
      await result("setup");
      return rate;
    },
    async idle() {
      await result("setup");
      const worker = await work(4);
      return { worker: () => familyOf(worker.pid), server: () => familyOf(server.pid), stop: () => worker.end() };
    },
  };
}

/** Names and versions of the library's packages that matter. */
async function versions(packages: string, { npm }: Library): Promise<string> {
  const name = npm[0]!.split("@")[0]!;
  try {
    await Deno.stat(join(packages, "node_modules", ".bin", "node"));
    const { version } = JSON.parse(await Deno.readTextFile(join(packages, "node_modules", name, "package.json")));
    return String(version);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new NotMeasured(`the npm package ${name} is not there; use --install, or --packages DIR`);
  }
}

/** The path of a driver beside the packages, where Node finds them. */
async function placed(packages: string, driver: string): Promise<string> {
  const folder = join(packages, "driver");
  await Deno.mkdir(folder, { recursive: true });
  for (const name of ["common.mjs", `${driver}.mjs`]) {
    await Deno.copyFile(join(import.meta.dirname!, "driver", name), join(folder, name));
  }
  return join(folder, `${driver}.mjs`);
}
