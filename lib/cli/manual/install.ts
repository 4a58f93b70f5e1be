/**
 * Writes the files of the manual to a folder, and removes them.
 *
 * A file that queuectl did not write is never replaced or removed: each of ours
 * holds a note. A page appears whole or not at all, also when the disk is full.
 * @module
 */
import { ConflictError, QueuectlError, quotedPath } from "../../core/errors.ts";
import { OWN_NOTE } from "./roff.ts";

export interface Installed {
  /** Names of files. */
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  /** Pages of an earlier version that this one does not have. */
  readonly removed: readonly string[];
}

/** Whatever umask root has, everybody is to read these. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Files that may be ours. */
const NAME = /^queuectl(-[a-z-]+)?\.1$/;

/**
 * @throws {ConflictError} when a file of another origin is in the way; then nothing is written.
 * @throws {QueuectlError} when the folder cannot be written.
 */
export function installPages(folder: string, files: ReadonlyMap<string, string>): Installed {
  const present = new Map([...files.keys()].map((name) => [name, contentOf(`${folder}/${name}`)]));
  for (const [name, content] of present) if (content !== undefined) refuseForeign(`${folder}/${name}`, content);
  telling(folder, () => makeFolder(folder));
  const written = [...files.keys()].filter((name) => present.get(name) !== files.get(name));
  for (const name of written) {
    const path = `${folder}/${name}`;
    telling(path, () => replaceFile(path, files.get(name) ?? ""));
  }
  const removed = ownFiles(folder).filter((name) => !files.has(name));
  for (const name of removed) telling(`${folder}/${name}`, () => Deno.removeSync(`${folder}/${name}`), "remove");
  return { written, unchanged: [...files.keys()].filter((name) => !written.includes(name)), removed };
}

/** Removes also the folders that are empty then, unless `keepFolders`. Gives the names of the files that it removed. */
export function uninstallPages(folder: string, { keepFolders }: { keepFolders: boolean }): readonly string[] {
  const names = ownFiles(folder);
  for (const name of names) telling(`${folder}/${name}`, () => Deno.removeSync(`${folder}/${name}`), "remove");
  if (names.length > 0 && !keepFolders && removeIfEmpty(folder)) {
    removeIfEmpty(folder.slice(0, folder.lastIndexOf("/")));
  }
  return names;
}

function ownFiles(folder: string): readonly string[] {
  const names = telling(folder, () => {
    try {
      return [...Deno.readDirSync(folder)].map(({ name }) => name);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }, "read");
  return names.filter((name) => NAME.test(name) && isOwn(contentOf(`${folder}/${name}`) ?? "")).sort();
}

function isOwn(content: string): boolean {
  return content.split("\n", 3).includes(OWN_NOTE);
}

function refuseForeign(path: string, content: string): void {
  if (isOwn(content)) return;
  throw new ConflictError(`Cannot write ${quotedPath(path)}: it is there, and queuectl did not write it`, {
    hint: "remove it, or choose another folder with --dir",
  });
}

/** undefined: there is no such file. A link that leads nowhere counts as a file. */
function contentOf(path: string): string | undefined {
  return telling(path, () => {
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      if (isMissing(error)) return isLink(path) ? "" : undefined;
      throw error;
    }
  }, "read");
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound;
}

function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

function makeFolder(folder: string): void {
  const root = folder.slice(0, folder.lastIndexOf("/"));
  for (const path of [root, folder]) {
    try {
      Deno.statSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
      Deno.mkdirSync(path, { recursive: true });
      Deno.chmodSync(path, FOLDER_MODE);
    }
  }
}

function replaceFile(path: string, content: string): void {
  const partial = `${path}.${Deno.pid}.partial`;
  try {
    Deno.writeTextFileSync(partial, content);
    Deno.chmodSync(partial, FILE_MODE);
    Deno.renameSync(partial, path);
  } catch (error) {
    try {
      Deno.removeSync(partial);
    } catch {
      // It could not even be made.
    }
    throw error;
  }
}

/** False when something else is in it, or it may not be removed: then it stays. */
function removeIfEmpty(folder: string): boolean {
  try {
    Deno.removeSync(folder);
    return true;
  } catch {
    return false;
  }
}

function telling<T>(path: string, work: () => T, action = "write"): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueuectlError) throw error;
    const isForbidden = error instanceof Deno.errors.PermissionDenied;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/ \(os error \d+\).*$/s, "");
    throw new QueuectlError("failed", `Cannot ${action} ${quotedPath(path)}: ${reason.toLowerCase()}`, {
      cause: error,
      hint: isForbidden ? "choose a folder of your own with --dir, or do it as root" : undefined,
    });
  }
}
