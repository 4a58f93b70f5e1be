/**
 * Puts a completion script into its place, and takes it away.
 *
 * Only files that were made from the command table are replaced or removed, of
 * this version or another. Readers never see half a file.
 * @module
 */
import { ConflictError, QueuectlError, quotedPath } from "../../core/errors.ts";

/** The first lines of every version of the scripts. */
const OURS = /^(#compdef queuectl\n)?# (bash|zsh|fish) completion for queuectl\. Made from the command table/;

/** Writes the script. False when it is there already. @throws {ConflictError} for a file that is not ours. */
export async function installScript(path: string, script: string): Promise<boolean> {
  const present = await readOurs(path, "replace");
  if (present === script) return false;
  const folder = path.slice(0, path.lastIndexOf("/")) || "/";
  // Hidden, so that no shell takes it for a completion.
  const temporary = `${folder}/.queuectl-${Deno.pid}.tmp`;
  await guarded("write", path, async () => {
    await Deno.mkdir(folder, { recursive: true });
    try {
      await Deno.writeTextFile(temporary, script, { createNew: true });
      // Whatever the umask: others read what the administrator installs.
      await Deno.chmod(temporary, 0o644);
      await Deno.rename(temporary, path);
    } catch (error) {
      await Deno.remove(temporary).catch(() => {}); // It may not exist.
      throw error;
    }
  });
  return true;
}

/**
 * Removes the script, and of the folders above it as many as said, when nothing else is in them. False when there is
 * no script. @throws {ConflictError} for a file that is not ours.
 */
export async function uninstallScript(path: string, { folders }: { folders: number }): Promise<boolean> {
  if (await readOurs(path, "remove") === undefined) return false;
  await guarded("remove", path, () => Deno.remove(path));
  let above = path;
  for (let i = 0; i < folders; i++) {
    above = above.slice(0, above.lastIndexOf("/"));
    // Other files keep it there.
    if (!await Deno.remove(above).then(() => true, () => false)) break;
  }
  return true;
}

async function readOurs(path: string, verb: "replace" | "remove"): Promise<string | undefined> {
  const text = await guarded("read", path, async () => {
    try {
      return await Deno.readTextFile(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  });
  if (text === undefined || OURS.test(text)) return text;
  throw new ConflictError(`Cannot ${verb} ${quotedPath(path)}: it was not made by queuectl`, {
    hint: "look into it and remove it, or choose another folder with --dir",
  });
}

async function guarded<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new QueuectlError("failed", `Cannot ${verb} ${quotedPath(path)}: ${reasonOf(error)}`, {
      hint: error instanceof Deno.errors.PermissionDenied ? "choose another folder with --dir" : undefined,
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "it is a directory";
  if (error instanceof Deno.errors.NotADirectory) return "a part of its path is not a directory";
  const message = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left/.test(message)) return "the disk is full";
  if (/EROFS|Read-only file system/.test(message)) return "the file system is read-only";
  if (/EEXIST|File exists|ENOTDIR|Not a directory/.test(message)) return "a part of its path is not a directory";
  if (/EISDIR|Is a directory/.test(message)) return "it is a directory";
  return message;
}
