/** A path as typed -> where it leads, for what is told to the user and kept. @module */
import { currentDirectory } from "../host/current_directory.ts";
import { UsageError } from "../core/errors.ts";

/** @throws {UsageError} for an empty path. */
export function absolutePath(path: string): string {
  if (path === "") throw new UsageError('Invalid file "": expected a path');
  if (path.startsWith("/")) return path;
  const directory = currentDirectory();
  const below = path.replace(/^(\.\/+)+/, "");
  return directory.endsWith("/") ? directory + below : `${directory}/${below}`;
}
