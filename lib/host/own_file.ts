/**
 * Opens files in folders of ours without ever following a link.
 *
 * The runtime has no flag for that, so a file is made exclusively, or looked at
 * before it is opened and compared afterwards.
 * @module
 */

const OWNER_ONLY = 0o600;

/** Somebody else puts the file there and takes it away at the same moments: after so many times it is no accident. */
const MAX_TRIES = 100;

export interface OwnFileOptions {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly append?: boolean;
}

/** Opens the file, and makes it, for its owner only, when there is none. @throws when something else has its name. */
export function openOwnFile(path: string, options: OwnFileOptions): Deno.FsFile {
  for (let tries = 0;; tries++) {
    try {
      return openExisting(path, options);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    try {
      return Deno.openSync(path, { ...options, createNew: true, mode: OWNER_ONLY });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists) || tries >= MAX_TRIES) throw error;
    }
  }
}

/** Opens a file that is there. @throws {Deno.errors.NotFound} {@throws when something else has its name.} */
export function openExisting(path: string, options: OwnFileOptions): Deno.FsFile {
  const named = Deno.lstatSync(path);
  if (!named.isFile) throw new NotAFileError(path, named);
  const file = Deno.openSync(path, options);
  try {
    const opened = file.statSync();
    if (opened.ino === named.ino && opened.dev === named.dev) return file;
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  throw new Deno.errors.NotFound(`${path} was replaced while it was opened`);
}

/** The text of a file that is there. @throws {Deno.errors.NotFound} {@throws when something else has its name.} */
export function readExisting(path: string): string {
  const file = openExisting(path, { read: true });
  // Not `using`: see refuseLostUsing() of tools/compile/pack.ts.
  try {
    const bytes = new Uint8Array(file.statSync().size);
    let length = 0;
    for (let count; (count = file.readSync(bytes.subarray(length))) !== null && count > 0;) length += count;
    return new TextDecoder().decode(bytes.subarray(0, length));
  } finally {
    file.close();
  }
}

/** A link, a folder or a device has the name of a file of ours. */
export class NotAFileError extends Error {
  constructor(path: string, { isSymlink }: Deno.FileInfo) {
    super(`${path} is ${isSymlink ? "a link" : "not a file"}, and is not opened`);
  }
}

/** Writes a file of its own: what had its name before is removed, not written to. */
export function writeNewFile(path: string, text: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  Deno.writeTextFileSync(path, text, { createNew: true, mode: OWNER_ONLY });
}
