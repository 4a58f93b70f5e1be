/**
 * Folders of ours: for their owner only, and made or checked by this one
 * function, wherever one is used.
 *
 * A folder that somebody else made beforehand would hold whatever that user
 * likes: links that lead our writes to other files, and records that name
 * processes of others for us to end.
 * @module
 */
import { quotedPath, StoreUnavailableError } from "../core/errors.ts";
import { ANY_FOR_OTHERS, folderObjection, restoreMode } from "./ownership.ts";
import { isTrusted } from "./trust.ts";

const OWNER_ONLY = 0o700;

/**
 * Makes the folder, and those above it. One that is there must be a real folder of ours that nobody else may write;
 * the right of others to read it is taken away.
 * @throws {StoreUnavailableError}
 */
export function ownFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { mode: OWNER_ONLY });
    return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) Deno.mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
    else if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  checkOwnFolder(path);
}

/** The folder of a store and, one below the other, the named ones in it: `ownFolders(folder, "run", "wake")`. */
export function ownFolders(storeFolder: string, ...names: readonly string[]): void {
  let path = storeFolder;
  ownFolder(path);
  for (const name of names) ownFolder(path += `/${name}`);
}

/** @throws {StoreUnavailableError} {@throws Deno.errors.NotFound} when there is none. */
export function checkOwnFolder(path: string): void {
  const info = Deno.lstatSync(path);
  const objection = folderObjection(path, info);
  // The owner of a trusted database is believed, but a link is followed for nobody.
  if (objection !== undefined && !(info.isDirectory && isTrusted(path))) {
    throw new StoreUnavailableError(`Cannot use folder ${quotedPath(path)}: ${objection.reason}`, {
      hint: objection.hint,
    });
  }
  if (((info.mode ?? 0) & ANY_FOR_OTHERS) !== 0) restoreMode(path, OWNER_ONLY);
}
