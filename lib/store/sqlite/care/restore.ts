/**
 * Puts a copy of a backup in the place of a database.
 *
 * What was there is set aside under another name with its log, never
 * overwritten: at every moment, also of a power cut, the old database is whole
 * under the one name or the other.
 * @module
 */
import { dirname } from "@std/path/posix/dirname";
import { ConflictError, NotFoundError, quotedPath, StoreUnavailableError } from "../../../core/errors.ts";
import { ownershipOf } from "../../../host/ownership.ts";
import { ownFolder } from "../../../host/own_folder.ts";
import type { BackupCopy, Restored, RestoreOptions } from "../../care.ts";
import { copyDatabase, exists, sync } from "../copy.ts";
import { openDriver } from "../driver.ts";
import { asStoreError } from "../errors.ts";
import { pragma, schemaState } from "../migrate.ts";
import { refuseForeignSchema } from "../schema.ts";
import { refused } from "../sqlite_store.ts";
import { damageOf } from "./check_integrity.ts";
import { OUTPUT_FILE } from "./check_output.ts";
import { copyRows } from "./fresh_schema.ts";
import { settleCopy, withStaging } from "./staging.ts";

/** @throws {NotFoundError} when there is no such file. {@throws StoreUnavailableError} when it cannot be used. */
export async function inspectBackup(file: string): Promise<BackupCopy> {
  const info = infoOf(file);
  if (info === undefined) {
    throw new NotFoundError(`No backup ${quotedPath(file)}`, { hint: "give the path of a backup" });
  }
  if (info.isDirectory) throw new StoreUnavailableError(`Cannot use backup ${quotedPath(file)}: it is a directory`);
  if (info.size === 0) throw new StoreUnavailableError(`Cannot use backup ${quotedPath(file)}: it is empty`);
  let driver;
  try {
    driver = openDriver(file, { busyTimeoutMs: 0, readOnly: true });
    schemaState(driver, file);
    const damage = damageOf(driver, "integrity_check");
    if (damage !== undefined) {
      throw new StoreUnavailableError(`Cannot use backup ${quotedPath(file)}: it is damaged (${damage})`, {
        hint: `queuectl --db ${file} doctor --salvage NEWFILE`,
      });
    }
    await refuseForeignSchema(driver, file, pragma(driver, "user_version"));
    return { bytes: info.size, jobs: Number(driver.prepare("select count(*) as n from jobs").get()?.n) };
  } catch (error) {
    throw asStoreError(error, file);
  } finally {
    driver?.close();
  }
}

export async function restoreDatabase(path: string, file: string, options: RestoreOptions): Promise<Restored> {
  if (exists(path) && isSameFile(path, file)) {
    throw new ConflictError(`Cannot restore ${quotedPath(file)}: it is the database itself`);
  }
  // Where a link leads: that is what is replaced, and the link stays.
  const place = exists(path) ? Deno.realPathSync(path) : path;
  const objection = ownershipOf(place, path).objection;
  if (objection !== undefined) throw refused(place, objection);
  return await withStaging(place, async (staging) => {
    Deno.mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    const copy = await withStaging(staging, async (source) => {
      const copy = copyDatabase(file, source);
      await copyRows(source, staging);
      return copy;
    });
    const known = runsIn(staging);
    const released = await settleCopy(staging, {
      now: options.now,
      audit: { actor: options.actor, source: file },
      lastSeq: Math.max(lastSeqOf(path), ...outputsIn(path).map(({ seq }) => seq)),
    });
    sync(staging);
    const stamp = stampOf(options.now);
    const setAside = exists(place) ? swap(place, staging, stamp) : undefined;
    if (setAside === undefined) Deno.renameSync(staging, place);
    sync(dirname(place));
    setOutputAside(path, { stamp, known });
    return { ...copy, released, setAside };
  });
}

/**
 * First the old file gets a second name, then its log goes there too, then the
 * new one takes the first name. Nothing is without a name in between.
 */
function swap(path: string, staging: string, stamp: string): string {
  const setAside = freeName(`${path}.replaced-${stamp}`);
  try {
    Deno.linkSync(path, setAside);
  } catch {
    // A file system without hard links.
    Deno.renameSync(path, setAside);
  }
  for (const ending of ["-wal", "-shm"]) {
    if (exists(path + ending)) Deno.renameSync(path + ending, setAside + ending);
  }
  Deno.renameSync(staging, path);
  return setAside;
}

function freeName(wished: string): string {
  let name = wished;
  for (let n = 2; exists(name); n++) name = `${wished}-${n}`;
  return name;
}

/** 20261118T111500Z */
export function stampOf(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

/** The highest number that the database to be replaced has given; 0 when it does not tell any more. */
function lastSeqOf(path: string): number {
  if (!exists(path)) return 0;
  let driver;
  try {
    driver = openDriver(path, { busyTimeoutMs: 1_000, readOnly: true });
    return Number(driver.prepare("select seq from sqlite_sequence where name = 'jobs'").get()?.seq ?? 0);
  } catch {
    return 0;
  } finally {
    driver?.close();
  }
}

/** How many runs each job has had. */
function runsIn(path: string): ReadonlyMap<number, number> {
  const driver = openDriver(path, { busyTimeoutMs: 0, readOnly: true });
  try {
    const rows = driver.prepare("select seq, run_count from jobs where run_count > 0").all();
    return new Map(rows.map((row) => [Number(row.seq), Number(row.run_count)]));
  } finally {
    driver.close();
  }
}

function outputsIn(path: string): { name: string; seq: number; run: number }[] {
  try {
    return [...Deno.readDirSync(`${path}.d/logs`)].flatMap(({ name }) => {
      const match = OUTPUT_FILE.exec(name);
      return match === null ? [] : [{ name, seq: Number(match[1]), run: Number(match[2]) }];
    });
  } catch {
    return []; // nothing ran here yet
  }
}

/** Output of runs that the restored database does not know would be mixed with that of runs to come. */
function setOutputAside(path: string, { stamp, known }: { stamp: string; known: ReadonlyMap<number, number> }): void {
  const strange = outputsIn(path).filter(({ seq, run }) => run > (known.get(seq) ?? 0));
  if (strange.length === 0) return;
  const folder = freeName(`${path}.d/logs.replaced-${stamp}`);
  ownFolder(folder);
  for (const { name } of strange) Deno.renameSync(`${path}.d/logs/${name}`, `${folder}/${name}`);
}

function infoOf(file: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw new StoreUnavailableError(`Cannot use backup ${quotedPath(file)}: permission denied`, { cause: error });
  }
}

function isSameFile(a: string, b: string): boolean {
  const [left, right] = [Deno.statSync(a), Deno.statSync(b)];
  return left.dev === right.dev && left.ino === right.ino;
}
