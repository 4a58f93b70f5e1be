/** A path as typed -> where it leads, for what is told to the user and kept. @module */
import { UsageError } from "../core/errors.ts";

/** @throws {UsageError} for an empty path. */
export function absolutePath(path: string): string {
  if (path === "") throw new UsageError('Invalid file "": expected a path');
  if (path.startsWith("/")) return path;
  const directory = Deno.cwd();
  const below = path.replace(/^(\.\/+)+/, "");
  return directory.endsWith("/") ? directory + below : `${directory}/${below}`;
}
