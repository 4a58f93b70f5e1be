/**
 * Whether a file, a folder, or a whole database with all that lies beside it is
 * this user's alone.
 *
 * A database names commands to run and processes to end, so whoever can write
 * it, or put another one in its place, acts as the user who works on it.
 * @module
 */
import { existsSync } from "node:fs";
import { quotedPath } from "../core/errors.ts";
import { isTrusted } from "./trust.ts";

/** Why something is not ours alone, and what to do about it. */
export interface Objection {
  /** `mode`: it is ours, and others may write it, which its owner can take back; all else is not ours to mend. */
  readonly kind: "owner" | "mode" | "shape" | "place";
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
const FOLDERS = ["logs", "backups", "run", "run/wake", "run/pools", "run/left"];

/** As many links as the kernel follows. */
const MAX_LINKS = 40;

/** What speaks against using a folder; undefined: it is a real one, ours, and nobody else may write it. */
export function folderObjection(path: string, info: Deno.FileInfo): Objection | undefined {
  if (info.isSymlink) return linkObjection(path);
  if (!info.isDirectory) {
    return { kind: "shape", reason: "it is not a directory", hint: `look at it, then: rm ${path}` };
  }
  return ownerObjection(path, info, "700");
}

/** The same for a file. */
export function fileObjection(path: string, info: Deno.FileInfo): Objection | undefined {
  return info.isSymlink ? linkObjection(path) : ownerObjection(path, info, "600");
}

function linkObjection(path: string): Objection {
  return { kind: "shape", reason: "it is a link", hint: `look where it leads, then: rm ${path}` };
}

function ownerObjection(path: string, { uid, mode }: Deno.FileInfo, wanted: string): Objection | undefined {
  if (uid !== null && uid !== Deno.uid()) {
    return { kind: "owner", reason: `it belongs to ${userOf(uid)}`, hint: asUser(uid) };
  }
  if (((mode ?? 0) & WRITE_FOR_OTHERS) === 0) return undefined;
  return {
    kind: "mode",
    reason: `others may write it (mode ${((mode ?? 0) & 0o777).toString(8)})`,
    hint: `look at what is in it, then: chmod ${wanted} ${path}`,
  };
}

/** A part of a database that is there. */
interface Part {
  readonly path: string;
  readonly info: Deno.FileInfo;
  readonly isFolder: boolean;
}

export interface Ownership {
  /**
   * What speaks against writing to a database, or working on it: the first thing found about the file, what SQLite
   * keeps beside it, its folder, and for root the folders above. What is not there is no objection.
   */
  readonly objection: Objection | undefined;
  /** Takes away what others may do with what is ours. */
  takeModesBack(): void;
}

/** `alias`: the name by which the user means the database, where that is a link to it. */
export function ownershipOf(path: string, alias: string = path): Ownership {
  if (Deno.uid() === null || isTrusted(path)) return { objection: undefined, takeModesBack() {} };
  const parts = partsOfDatabase(path);
  return {
    objection: partsObjection(path, parts) ?? aboveObjection(alias) ??
      (alias === path ? undefined : aboveObjection(path)),
    takeModesBack() {
      for (const { path, info, isFolder } of parts) {
        if (((info.mode ?? 0) & ANY_FOR_OTHERS) !== 0) restoreMode(path, isFolder ? 0o700 : 0o600);
      }
    },
  };
}

function partsObjection(path: string, parts: readonly Part[]): Objection | undefined {
  for (const { path: at, info, isFolder } of parts) {
    const objection = isFolder ? folderObjection(at, info) : fileObjection(at, info);
    if (objection === undefined) continue;
    if (at === path) return objection;
    // The database itself is ours, or not there yet: somebody else put this beside it.
    const hint = objection.kind === "owner" ? `look at it, then: mv ${at} ${at}.foreign` : objection.hint;
    return about(`its ${isFolder ? "folder" : "file"} ${quotedPath(at)}`, { ...objection, hint });
  }
  return undefined;
}

/**
 * Most names are missing in most places, and the error for each costs more than all the rest: so it is asked first, and
 * nothing is looked for below what is not there. A link that leads nowhere counts as missing. SQLite does not follow
 * one, and `ownFolder` refuses it.
 */
function partsOfDatabase(path: string): readonly Part[] {
  const parts: Part[] = [];
  const add = (path: string, isFolder: boolean) => {
    const info = existsSync(path) ? infoOf(path) : undefined;
    if (info !== undefined) parts.push({ path, info, isFolder });
    return info?.isDirectory === true;
  };
  add(path, false);
  for (const ending of BESIDE) add(path + ending, false);
  if (add(`${path}.d`, true)) { for (const name of FOLDERS) add(`${path}.d/${name}`, true); }
  return parts;
}

/** `it belongs to ...` -> `its folder "..." belongs to ...`; `others may ...` -> `its folder "...": others may ...` */
function about(what: string, { kind, reason, hint }: Objection): Objection {
  const said = reason.startsWith("it ") ? `${what} ${reason.slice("it ".length)}` : `${what}: ${reason}`;
  return { kind, reason: said, hint };
}

/**
 * For root: a link on the way, or a folder above, that another user may replace, and with it the database. Everybody
 * else is free to use a place that is less safe. The owner of `/` counts as root: in a user namespace it has another
 * number.
 */
export function aboveObjection(path: string): Objection | undefined {
  if (Deno.uid() !== 0) return undefined;
  const superusers = new Set([0, infoOf("/")?.uid ?? 0]);
  const rest = partsOf(path);
  let folder = "";
  for (let links = 0; rest.length > 0 && links <= MAX_LINKS;) {
    const name = rest.shift()!;
    if (name === "..") {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
      continue;
    }
    const at = `${folder}/${name}`;
    const info = infoOf(at);
    // The file itself was looked at before.
    if (info === undefined || (rest.length === 0 && !info.isSymlink)) return undefined;
    if (info.uid !== null && !superusers.has(info.uid)) {
      const reason = `its place ${quotedPath(at)} belongs to ${userOf(info.uid)}`;
      return { kind: "place", reason, hint: asUser(info.uid) };
    }
    if (info.isSymlink) {
      links++;
      const target = Deno.readLinkSync(at);
      if (target.startsWith("/")) folder = "";
      rest.unshift(...partsOf(target));
    } else {
      if (isOpenToOthers(info)) {
        return { kind: "place", reason: `others may replace what is in ${shown(at, info)}`, hint: MOVE_HINT };
      }
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
    kind: "shape",
    reason: `it is one file with ${names} names (hard links), and each would have a log of its own`,
    hint: `find ${path.slice(0, path.lastIndexOf("/")) || "/"} -xdev -samefile ${path}, then remove the others`,
  };
}

/** Leaves as it is what is not ours, is a link or has two names. */
export function restoreMode(path: string, wanted: number): void {
  const info = infoOf(path);
  if (info === undefined || info.uid !== Deno.uid()) return;
  if (!info.isDirectory && !(info.isFile && info.nlink === 1)) return;
  try {
    Deno.chmodSync(path, wanted);
  } catch {
    // A file system without modes, or one that is mounted for reading.
  }
}

/**
 * The kernel's rule for links in folders that everybody may write (`fs.protected_symlinks`), for a link that we read
 * ourselves: one is followed when it is ours, root's, or of the owner of a sticky folder.
 */
export function mayFollow(link: string): boolean {
  const [named, folder] = [infoOf(link), infoBehind(link.slice(0, link.lastIndexOf("/")) || "/")];
  if (named === undefined || folder === undefined || named.uid === null) return true;
  const mode = folder.mode ?? 0;
  if ((mode & 0o002) === 0 || named.uid === Deno.uid() || named.uid === 0) return true;
  return (mode & STICKY) !== 0 && named.uid === folder.uid;
}

function infoBehind(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
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
