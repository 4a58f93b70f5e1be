/** The directory of this process, or one sentence on why it has none that can be named. @module */
import { UsageError } from "../core/errors.ts";

/** @throws {UsageError} when it was removed, or its path is not UTF-8, in which all text is kept. */
export function currentDirectory(): string {
  try {
    return Deno.cwd();
  } catch (error) {
    const hint = "run it from another folder";
    if (error instanceof Deno.errors.NotFound) {
      throw new UsageError("The working directory does not exist any more", { hint, cause: error });
    }
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes("UTF-8")) {
      throw new UsageError("The path of the working directory is not valid UTF-8", { hint, cause: error });
    }
    throw new UsageError(`The working directory is out of reach: ${message}`, { hint, cause: error });
  }
}
