/**
 * The one database whose owner the user vouches for: named by its path, in the
 * environment, so that the processes that we start know it too.
 *
 * There is no way to trust everybody: a variable that is set once, in a profile
 * or a unit file, would hold for every database that anybody leaves around.
 * @module
 */
import { ownVariable } from "./own_environment.ts";

export const TRUST_VARIABLE = "QUEUECTL_TRUST_OWNER";

/** Whether `path` is the trusted database, or something of it: its folder, its log, a copy that is made beside it. */
export function isTrusted(path: string): boolean {
  const trusted = ownVariable(TRUST_VARIABLE);
  if (trusted === undefined || !trusted.startsWith("/")) return false;
  return path === trusted || path.startsWith(`${trusted}.`) || path.startsWith(`${trusted}-`);
}
