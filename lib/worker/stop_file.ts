/**
 * `.stop_workers` beside the database: while it is there, workers stop as by a
 * first TERM, and none starts.
 * @module
 */
import { existsSync } from "node:fs";
import { ConflictError } from "../core/errors.ts";

export function stopFile(folder: string): string {
  return `${folder}/.stop_workers`;
}

export function isStopFileThere(folder: string): boolean {
  return existsSync(stopFile(folder));
}

/** @throws {ConflictError} */
export function refuseWhileStopped(folder: string): void {
  if (!isStopFileThere(folder)) return;
  throw new ConflictError(`Cannot start workers: the file ${stopFile(folder)} exists`, {
    hint: `rm ${stopFile(folder)}`,
  });
}
