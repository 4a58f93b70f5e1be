/**
 * Redis and PostgreSQL for one run: own folders, unix sockets instead of ports,
 * ended with the box.
 * @module
 */
import { type Box, until } from "./box.ts";
import { NotMeasured } from "./peer.ts";

export interface Server {
  readonly pid: number;
  readonly version: string;
  /** What a client needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** With the durability that it has without a configuration file, or with these options. */
export async function startRedis(box: Box, options: readonly string[]): Promise<Server> {
  const found = await firstOf(box, ["command -v redis-server"]);
  if (found === null) throw new NotMeasured("redis-server is not installed");
  const folder = await box.newFolder("redis");
  const socket = `${folder}/socket`;
  const server = box.start([found, "--port", "0", "--unixsocket", socket, "--dir", folder, ...options]);
  // Its environment cannot be read: it writes the title of its process over it.
  box.atEnd(() => server.end());
  await until("Redis takes connections", () => exists(socket));
  const version = /v=(\S+)/.exec(await box.output([found, "--version"]))?.[1] ?? "of an unknown version";
  return { pid: server.pid, version, env: { REDIS_SOCKET: socket } };
}

/** A new cluster with the settings of initdb. */
export async function startPostgres(box: Box): Promise<Server> {
  // Debian keeps the programs out of PATH, one folder for each version.
  const initdb = await firstOf(box, ["ls -v /usr/lib/postgresql/*/bin/initdb | tail -n 1", "command -v initdb"]);
  if (initdb === null) throw new NotMeasured("PostgreSQL is not installed");
  const bin = initdb.slice(0, -"/initdb".length);
  const folder = await box.newFolder("pg");
  // PostgreSQL refuses to run as root.
  const isRoot = Deno.uid() === 0;
  if (isRoot) await box.run(["chown", "postgres", folder]);
  const asOwner = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : [];
  await box.run([...asOwner, initdb, "--auth=trust", "--username=postgres", "--pgdata", `${folder}/data`]);
  const server = box.start([
    ...asOwner,
    `${bin}/postgres`,
    "-D",
    `${folder}/data`,
    "-c",
    "listen_addresses=",
    "-c",
    `unix_socket_directories=${folder}`,
  ]);
  // INT ends it without waiting for its clients.
  box.atEnd(() => server.end("SIGINT"));
  const env = { PGHOST: folder, PGUSER: "postgres", PGDATABASE: "postgres" };
  await until(
    "PostgreSQL takes connections",
    () => box.run([`${bin}/pg_isready`, "-q", "-h", folder]).then(() => true, () => false),
  );
  const version = /\d+(\.\d+)+/.exec(await box.output([`${bin}/postgres`, "--version"]))?.[0] ??
    "of an unknown version";
  return { pid: server.pid, version, env };
}

/** The first line that any of the scripts prints. */
async function firstOf(box: Box, scripts: readonly string[]): Promise<string | null> {
  for (const script of scripts) {
    const line = (await box.output(["/bin/sh", "-c", `{ ${script}; } 2>/dev/null || true`])).trim().split("\n")[0]!;
    if (line !== "") return line;
  }
  return null;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
