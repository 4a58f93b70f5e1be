/**
 * Looks at everything that can go wrong with a queue: the store itself, which
 * knows how to examine itself, and who works on it.
 *
 * Without `fix` nothing is changed. With it, what is safe is mended: nothing
 * that holds a job, and nothing in a damaged store.
 * @module
 */
import { QueuectlError } from "../core/errors.ts";
import { formatDuration } from "../core/duration.ts";
import { FOREGROUND_POOL, RUN_POOL, USUAL_POOL } from "../core/pool.ts";
import { isOnNetwork } from "../host/network_filesystem.ts";
import { hostIdentity } from "../host/process_identity.ts";
import type { Check, Store, StoreCare, WorkerRecord } from "../store/mod.ts";
import { forgetBootCheck, readBootCheck } from "./boot_check.ts";
import { freeLocks, lifeOf, mayLive, type WorkerLife } from "./worker_life.ts";

export interface DoctorOptions {
  readonly care: StoreCare;
  /** Opens the store; asked only when the examination says that it can be. */
  readonly open: () => Promise<Store>;
  readonly fix: boolean;
  readonly now: number;
  readonly version: string;
}

/** Beats and jobs may be this far ahead: clocks of two hosts are never quite equal. */
const CLOCK_LEEWAY_MS = 60_000;

/** A worker makes its lock file and locks it within milliseconds. */
const YOUNG_LOCK_MS = 60_000;

/** Below this the next large output may be the last. */
const LITTLE_SPACE_BYTES = 100 * 1024 * 1024;

export async function examineAll(options: DoctorOptions): Promise<readonly Check[]> {
  const { care, fix, now } = options;
  const checks = [...await care.examine({ fix, now })];
  if (care.exists()) checks.push(checkPlace(care), checkSpace(care));
  if (checks.some(({ isFatal }) => isFatal) || !care.exists()) return checks;
  checks.push(checkBoot(care, fix));
  try {
    const store = await options.open();
    const workers = (await store.workers.list()).map((worker) => ({
      worker,
      life: lifeOf(worker, { here: hostIdentity(), runFolder: `${care.folder}/run` }),
    }));
    checks.push(
      await checkWorkers(store, workers, options),
      checkLocks(care, workers.map(({ worker }) => worker.id), options),
      await checkStranded(store, workers),
      await checkClock(store, now),
      checkVersions(workers, options.version),
    );
  } catch (error) {
    if (!(error instanceof QueuectlError)) throw error;
    checks.push({ name: "workers", status: "error", message: error.message });
  }
  return checks;
}

/** 0 when all is well or was mended, 1 when something is left to do, 5 when the store cannot be trusted or used. */
export function exitCodeOf(checks: readonly Check[]): 0 | 1 | 5 {
  if (checks.some(({ isFatal }) => isFatal)) return 5;
  return checks.some(({ status }) => status !== "ok") ? 1 : 0;
}

interface Found {
  readonly worker: WorkerRecord;
  readonly life: WorkerLife;
}

function checkPlace({ location, folder }: StoreCare): Check {
  const name = "file system";
  const place = [folder, location].find((path) => isOnNetwork(path));
  if (place === undefined) return { name, status: "ok", message: "The database is on a disk of this machine" };
  return {
    name,
    status: "warning",
    message: `${place} is on a network file system: SQLite's locks may not hold there`,
    fix: "keep the database on a local disk, for several machines use PostgreSQL",
  };
}

function checkSpace({ location }: StoreCare): Check {
  const name = "disk space";
  const free = freeBytes(location);
  if (free === undefined) return { name, status: "ok", message: "The system does not tell how much space is left" };
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB are free on the disk of the database`;
  if (free >= LITTLE_SPACE_BYTES) return { name, status: "ok", message };
  return {
    name,
    status: "warning",
    message: `Only ${(free / 1024 ** 2).toFixed(0)} MiB are free on the disk of the database`,
    fix: "free some space; queuectl cleanup --older-than 7d removes finished jobs with their output",
  };
}

function freeBytes(path: string): number | undefined {
  try {
    const { stdout, success } = new Deno.Command("df", { args: ["-Pk", path], stdout: "piped", stderr: "null" })
      .outputSync();
    const columns = new TextDecoder().decode(stdout).trim().split("\n").at(-1)?.split(/\s+/) ?? [];
    const kibibytes = Number(columns[3]);
    return success && Number.isFinite(kibibytes) ? kibibytes * 1024 : undefined;
  } catch {
    return undefined; // no df here
  }
}

/** Asked only when the examination of now found no damage. */
function checkBoot({ folder }: StoreCare, fix: boolean): Check {
  const name = "boot check";
  const last = readBootCheck(folder);
  if (last === undefined || last.checked_at === null) {
    return { name, status: "ok", message: "No worker has checked the database yet since the host was started" };
  }
  if (last.damage === null) {
    return { name, status: "ok", message: "The check after the last start of the host found nothing" };
  }
  const message = `The check after the last start of the host found damage that is not there any more: ${last.damage}`;
  if (!fix) return { name, status: "warning", message, fix: "queuectl doctor --fix has it checked again" };
  forgetBootCheck(folder);
  return { name, status: "ok", message, isFixed: true };
}

/** Rows of workers that are gone. With jobs they are left to those who rescue, which need more care than a row. */
async function checkWorkers(
  store: Store,
  workers: readonly Found[],
  { fix, now }: Pick<DoctorOptions, "fix" | "now">,
): Promise<Check> {
  const name = "workers";
  const gone = workers.filter(({ worker, life }) => !mayLive(worker, life, now));
  const alive = workers.length - gone.length;
  if (gone.length === 0) return { name, status: "ok", message: `${alive} workers are registered and alive` };
  const idle = gone.filter(({ worker, life }) => life === "dead" && worker.jobs.length === 0);
  if (fix) { for (const { worker } of idle) await store.workers.unregister(worker.id); }
  const left = gone.length - (fix ? idle.length : 0);
  if (left === 0) {
    return {
      name,
      status: "ok",
      message: `${idle.length} workers were gone; they are no longer registered`,
      isFixed: true,
    };
  }
  const jobs = gone.reduce((sum, { worker }) => sum + worker.jobs.length, 0);
  return {
    name,
    status: "warning",
    message: `${left} registered workers are gone${jobs === 0 ? "" : `, with ${jobs} jobs`}`,
    fix: jobs === 0 && !fix
      ? "queuectl doctor --fix forgets them"
      : "start a worker: it rescues their jobs (queuectl worker run --drain)",
  };
}

function checkLocks({ folder }: StoreCare, registered: readonly string[], { fix, now }: DoctorOptions): Check {
  const name = "locks";
  const left = freeLocks(`${folder}/run`).filter(({ id, path }) => !registered.includes(id) && isOld(path, now));
  if (left.length === 0) return { name, status: "ok", message: "Every lock file belongs to a worker" };
  const message = `${left.length} lock files were left by workers that are gone`;
  if (!fix) return { name, status: "warning", message, fix: "queuectl doctor --fix removes them" };
  for (const { path } of left) {
    removeQuietly(path);
    removeQuietly(path.replace(/\.lock$/, ".groups"));
  }
  return { name, status: "ok", message: `${message}; they were removed`, isFixed: true };
}

function isOld(path: string, now: number): boolean {
  try {
    return now - (Deno.statSync(path).mtime?.getTime() ?? now) > YOUNG_LOCK_MS;
  } catch {
    return false;
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Gone meanwhile, or never there.
  }
}

/** Jobs that run, as the store believes, in a worker that it does not know. */
async function checkStranded(store: Store, workers: readonly Found[]): Promise<Check> {
  const name = "running jobs";
  const known = new Set(workers.map(({ worker }) => worker.id));
  const running = await store.jobs.list({ states: ["processing"] });
  const stranded = running.filter(({ worker_id }) => worker_id === null || !known.has(worker_id));
  if (stranded.length === 0) {
    return { name, status: "ok", message: `${running.length} jobs run, each in a known worker` };
  }
  return {
    name,
    status: "warning",
    message: `${stranded.length} jobs are said to run in workers that are not registered (${stranded[0]?.id}, ...)`,
    fix: "start a worker: it rescues them (queuectl worker run --drain)",
  };
}

async function checkClock(store: Store, now: number): Promise<Check> {
  const name = "clock";
  const [newest] = await store.jobs.list({ limit: 1 });
  const beats = (await store.workers.list()).map(({ beat_at }) => beat_at);
  const ahead = Math.max(newest?.created_at ?? 0, ...beats) - now;
  if (ahead <= CLOCK_LEEWAY_MS) return { name, status: "ok", message: "Nothing was written in the future" };
  return {
    name,
    status: "warning",
    message: `Something was written ${formatDuration(ahead)} in the future: a clock is wrong, or was`,
    fix: "compare the clocks of all hosts (timedatectl); jobs go on meanwhile, times and delays may be off",
  };
}

/** Workers that drain, or that run one job for `queuectl run`, leave by themselves. */
function checkVersions(workers: readonly Found[], version: string): Check {
  const name = "versions";
  const others = workers.filter(({ worker, life }) =>
    life === "alive" && worker.version !== version && worker.state === "running" && worker.pool !== RUN_POOL
  );
  const [first] = others;
  if (first === undefined) {
    return { name, status: "ok", message: `Every worker that takes jobs is of version ${version}` };
  }
  const names = [...new Set(others.map(({ worker }) => worker.version))].join(", ");
  const { pool } = first.worker;
  return {
    name,
    status: "warning",
    message: `${others.length} workers are of version ${names}, this is ${version}`,
    fix: pool === FOREGROUND_POOL
      ? "stop `queuectl worker run`, and start it again"
      : `queuectl worker restart${pool === USUAL_POOL ? "" : ` --pool ${pool}`}`,
  };
}
