/**
 * One supervisor with all that it needs: its place, its log, its way to start
 * workers, and the maintenance of the store. The same in the background and,
 * for init systems, in the foreground.
 * @module
 */
import { ownVariable } from "../host/own_environment.ts";
import { ConflictError, quoted } from "../core/errors.ts";
import { generateJobId } from "../core/job_id.ts";
import { ownIdentity } from "../host/process_identity.ts";
import { takeWorkerLock } from "../host/worker_lock.ts";
import { bothLoggers } from "../log/file_logger.ts";
import { type Logger, textLogger } from "../log/logger.ts";
import { lastEntries } from "../log/read_log.ts";
import type { PoolKey, PoolRecord, Store } from "../store/mod.ts";
import { VERSION } from "../version.ts";
import { type HeldLock, takeSupervisorLock } from "../worker/pool_files.ts";
import { listenForStop } from "../worker/signals.ts";
import { sameStore, selfCommand, spawnSelf } from "../worker/spawn_self.ts";
import { runSupervisor, type SupervisorEnd } from "../worker/supervisor.ts";
import type { Context } from "./context.ts";
import { writeErr } from "./output/streams.ts";
import { shownText } from "./output/terminal_text.ts";
import { openPoolLog } from "./pool_log.ts";
import type { Readiness } from "./service/readiness.ts";
import { startSupervisor } from "./start_supervisor.ts";
import { startUpkeep } from "./upkeep.ts";

/** How long a successor waits for the one before it to go. */
const SUCCESSION_MS = 30_000;
const SUCCESSION_LOOK_MS = 20;

export interface SuperviseOptions {
  readonly key: PoolKey;
  readonly isForeground: boolean;
  /** Waits until the one before it has gone. */
  readonly isSuccessor: boolean;
}

/** @throws {ConflictError} in the foreground, when another looks after the pool. */
export async function supervise(context: Context, options: SuperviseOptions): Promise<SupervisorEnd> {
  const store = await context.store("work");
  const { key } = options;
  const { log: file, settings, reloadSettings } = openPoolLog(context, store, { pool: key.name, role: "supervisor" });
  const log = options.isForeground
    ? bothLoggers(
      file,
      textLogger({
        write: (line) => writeErr(shownText(line, { hasStyles: false })),
        level: () => "info",
        now: () => context.clock.now(),
      }),
    )
    : file;
  let lock: HeldLock | undefined;
  let upkeep: { stop(): Promise<void> } | undefined;
  let listener: Readiness | undefined;
  const signals = listenForStop();
  try {
    lock = await lockFor(store.folder, key, options);
    if (lock === undefined) return "replaced";
    await reloadSettings();
    log.info("supervisor started", { db: store.location, version: VERSION });
    listener = options.isForeground ? await listenerFor(context, log) : undefined;
    upkeep = maintain(store, { clock: context.clock, log, settings });
    const end = await runSupervisor({
      store,
      clock: context.clock,
      log,
      version: VERSION,
      key,
      signals,
      loadSettings: reloadSettings,
      isForeground: options.isForeground,
      startWorker: (pool) => startWorker(context, pool),
      startSuccessor: () => startSuccessor(context, key, (reason) => log.error("no successor", { reason })),
      reasonOf: (pid) => reasonOf(store, key.name, pid),
      trouble: () => file.trouble(),
      listener,
    });
    log.info("supervisor ended", { how: end });
    return end;
  } catch (error) {
    // In the foreground it is told at the end of the command, too: once is enough. That another one does is no failure
    // of the pool, and whoever waits for its workers looks in this log for failures.
    if (!(error instanceof ConflictError)) {
      file.error("supervisor did not start", { reason: error instanceof Error ? error.message : String(error) });
    }
    throw error;
  } finally {
    await upkeep?.stop();
    lock?.release();
    signals.close();
    listener?.close();
    file.close();
  }
}

/** The service manager that waits for this process, if one does. */
async function listenerFor(context: Context, log: Logger): Promise<Readiness | undefined> {
  if (ownVariable("NOTIFY_SOCKET") === undefined) return undefined;
  const { readiness } = await import("./service/readiness.ts");
  return readiness(log, context.clock);
}

/** Maintenance beside the supervisor's own work: with a lock that tells others when it is gone, as workers have. */
function maintain(store: Store, parts: Omit<Parameters<typeof startUpkeep>[0], "store">): { stop(): Promise<void> } {
  const self = { id: generateJobId(), ...ownIdentity() };
  const lock = takeWorkerLock(`${store.folder}/run`, self.id);
  const upkeep = startUpkeep({ store, ...parts }, self);
  return {
    async stop() {
      await upkeep.stop();
      lock.release();
    },
  };
}

async function lockFor(folder: string, key: PoolKey, options: SuperviseOptions): Promise<HeldLock | undefined> {
  const deadline = performance.now() + (options.isSuccessor ? SUCCESSION_MS : 0);
  while (true) {
    const lock = takeSupervisorLock(folder, key);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) break;
    await new Promise((wake) => setTimeout(wake, SUCCESSION_LOOK_MS));
  }
  if (!options.isForeground) return undefined;
  throw new ConflictError(`Cannot look after pool ${quoted(key.name)}: another supervisor does`, {
    hint: "queuectl worker status",
  });
}

function startWorker(context: Context, pool: PoolRecord): ReturnType<typeof spawnSelf> {
  const { args, env } = sameStore(context.dbPath);
  const flags = [
    ...["--pool", pool.name, "--host", pool.host, "--generation", String(pool.generation)],
    ...(pool.concurrency === null ? [] : ["--concurrency", String(pool.concurrency)]),
    ...(pool.queues === null ? [] : ["--queue", pool.queues.join(",")]),
  ];
  return spawnSelf(["__worker", ...flags, ...args], { env });
}

/** Only when the program that is there now runs at all: else the pool would be left alone. */
async function startSuccessor(context: Context, key: PoolKey, complain: (reason: string) => void): Promise<boolean> {
  try {
    const [program, ...args] = selfCommand(["version"]);
    const { success, code } = await new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" })
      .spawn().status;
    if (!success) throw new Error(`${program} version ended with code ${code}`);
    startSupervisor(context, key, ["--successor"]);
    return true;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** What a worker wrote before it ended. */
function reasonOf(store: Store, pool: string, pid: number): string | undefined {
  const entry = lastEntries(`${store.folder}/logs`, pool).findLast((entry) =>
    entry.pid === pid && entry.level === "error"
  );
  return entry === undefined ? undefined : String(entry.fields.reason ?? entry.event);
}
