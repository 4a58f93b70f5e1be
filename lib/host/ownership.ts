/**
 * Whether a file, a folder, or a whole database with all that lies beside it is
 * this user's alone.
 *
 * A database names commands to run and processes to end, so whoever can write
 * it, or put another one in its place, acts as the user who works on it.
 * @module
 */
import { quotedPath } from "../core/errors.ts";
import { isTrusted } from "./trust.ts";

/** Why something is not ours alone, and what to do about it. */
export interface Objection {
  /** Follows a colon: `it belongs to user ann (uid 1001)`. */
  readonly reason: string;
  readonly hint: string;
}

/** Group and others: any right; the right to write. */
export const ANY_FOR_OTHERS = 0o077;
const WRITE_FOR_OTHERS = 0o022;
const STICKY = 0o1000;

/** What SQLite keeps beside a database. */
const BESIDE = ["-wal", "-shm", "-journal"];

/** The folders in `<db>.d`; one that lies in another comes after it. */
const FOLDERS = ["logs", "backups", "run", "run/wake", "run/pools"];

/** As many links as the kernel follows. */
const MAX_LINKS = 40;

/** What speaks against using a folder; undefined: it is a real one, ours, and nobody else may write it. */
export function folderObjection(path: string, info: Deno.FileInfo): Objection | undefined {
  if (info.isSymlink) return { reason: "it is a link", hint: `look where it leads, then: rm ${path}` };
  if (!info.isDirectory) return { reason: "it is not a directory", hint: `look at it, then: rm ${path}` };
  return ownerObjection(path, info, "700");
}

/** The same for a file. */
export function fileObjection(path: string, info: Deno.FileInfo): Objection | undefined {
  if (info.isSymlink) return { reason: "it is a link", hint: `look where it leads, then: rm ${path}` };
  return ownerObjection(path, info, "600");
}

function ownerObjection(path: string, { uid, mode }: Deno.FileInfo, wanted: string): Objection | undefined {
  if (uid !== null && uid !== Deno.uid()) {
    return { reason: `it belongs to ${userOf(uid)}`, hint: asUser(uid) };
  }
  if (((mode ?? 0) & WRITE_FOR_OTHERS) === 0) return undefined;
  return {
    reason: `others may write it (mode ${((mode ?? 0) & 0o777).toString(8)})`,
    hint: `look at what is in it, then: chmod ${wanted} ${path}`,
  };
}

/**
 * What speaks against writing to a database, or working on it: the first thing found about the file, what SQLite keeps
 * beside it, its folder, and for root the folders above. What is not there is no objection.
 */
export function databaseObjection(path: string): Objection | undefined {
  if (Deno.uid() === null || isTrusted(path)) return undefined;
  const file = infoOf(path);
  return (file && fileObjection(path, file)) ?? besideObjection(path) ?? belowObjection(`${path}.d`) ??
    aboveObjection(path);
}

function besideObjection(path: string): Objection | undefined {
  for (const ending of BESIDE) {
    const info = infoOf(path + ending);
    const objection = info && fileObjection(path + ending, info);
    if (objection !== undefined) return about(`its file ${quotedPath(path + ending)}`, objection);
  }
  return undefined;
}

function belowObjection(folder: string): Objection | undefined {
  const info = infoOf(folder);
  if (info === undefined) return undefined;
  const objection = folderObjection(folder, info);
  if (objection !== undefined) return about(`its folder ${quotedPath(folder)}`, objection);
  const missing = new Set<string>();
  for (const name of FOLDERS) {
    const path = `${folder}/${name}`;
    if (missing.has(path.slice(0, path.lastIndexOf("/")))) continue;
    const info = infoOf(path);
    if (info === undefined) {
      missing.add(path);
      continue;
    }
    const objection = folderObjection(path, info);
    if (objection !== undefined) return about(`its folder ${quotedPath(path)}`, objection);
  }
  return undefined;
}

/** `it belongs to ...` -> `its folder "..." belongs to ...` */
function about(what: string, { reason, hint }: Objection): Objection {
  return { reason: reason.startsWith("it ") ? `${what} ${reason.slice("it ".length)}` : `${what}: ${reason}`, hint };
}

/**
 * For root: a folder above that another user may replace, and with it the database. Everybody else is free to use a
 * place that is less safe. The owner of `/` counts as root: in a user namespace it has another number.
 */
export function aboveObjection(path: string): Objection | undefined {
  if (Deno.uid() !== 0) return undefined;
  const superusers = new Set([0, infoOf("/")?.uid ?? 0]);
  const rest = partsOf(path).slice(0, -1);
  let folder = "";
  for (let links = 0; rest.length > 0 && links <= MAX_LINKS;) {
    const name = rest.shift()!;
    if (name === "..") {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
      continue;
    }
    const at = `${folder}/${name}`;
    const info = infoOf(at);
    if (info === undefined) return undefined;
    if (info.uid !== null && !superusers.has(info.uid)) {
      return { reason: `its place ${quotedPath(at)} belongs to ${userOf(info.uid)}`, hint: asUser(info.uid) };
    }
    if (info.isSymlink) {
      links++;
      const target = Deno.readLinkSync(at);
      if (target.startsWith("/")) folder = "";
      rest.unshift(...partsOf(target));
    } else {
      if (isOpenToOthers(info)) return { reason: `others may replace what is in ${shown(at, info)}`, hint: MOVE_HINT };
      folder = at;
    }
  }
  return undefined;
}

const MOVE_HINT = "keep a database of root in a folder that only root may write";

function shown(path: string, { mode }: Deno.FileInfo): string {
  return `${quotedPath(path)} (mode ${((mode ?? 0) & 0o7777).toString(8)})`;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

/** In a sticky folder each user's files are safe from the others. */
function isOpenToOthers({ mode, gid }: Deno.FileInfo): boolean {
  const bits = mode ?? 0;
  if ((bits & STICKY) !== 0) return false;
  return (bits & 0o002) !== 0 || ((bits & 0o020) !== 0 && gid !== 0);
}

/** A database with two names has two logs: what was written under the one is lost under the other. */
export function namesObjection(path: string): Objection | undefined {
  const names = infoOf(path)?.nlink ?? 1;
  if (names <= 1) return undefined;
  return {
    reason: `it is one file with ${names} names (hard links), and each would have a log of its own`,
    hint: `find ${path.slice(0, path.lastIndexOf("/")) || "/"} -xdev -samefile ${path}, then remove the others`,
  };
}

/** Takes away what others may do with the files and folders of a database that are ours. */
export function takeModesBack(path: string): void {
  restoreMode(path, 0o600);
  for (const ending of BESIDE) restoreMode(path + ending, 0o600);
  if (!restoreMode(`${path}.d`, 0o700)) return;
  for (const name of FOLDERS) restoreMode(`${path}.d/${name}`, 0o700);
}

/** False when there is none. What is not ours, is a link or has two names is left as it is. */
export function restoreMode(path: string, wanted: number): boolean {
  const info = infoOf(path);
  if (info === undefined) return false;
  const isPlain = info.isDirectory || (info.isFile && info.nlink === 1);
  if (isPlain && info.uid === Deno.uid() && ((info.mode ?? 0) & ANY_FOR_OTHERS) !== 0) changeMode(path, wanted);
  return true;
}

function changeMode(path: string, wanted: number): void {
  try {
    Deno.chmodSync(path, wanted);
  } catch {
    // A file system without modes, or one that is mounted for reading.
  }
}

/** Undefined when there is nothing, or it is out of reach: opening it fails, and says why. */
export function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

function asUser(uid: number): string {
  const name = nameOf(uid);
  return `sudo -u ${name ?? `'#${uid}'`} queuectl ..., or --trust-owner when that user may act as you`;
}

function userOf(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `user ${uid}` : `user ${name} (uid ${uid})`;
}

function nameOf(uid: number): string | undefined {
  try {
    const line = Deno.readTextFileSync("/etc/passwd").split("\n").find((line) => line.split(":")[2] === String(uid));
    return line?.split(":")[0];
  } catch {
    return undefined; // no such file
  }
}
