/**
 * Another user of this machine, for tests that need two: `nobody`, whom every
 * system has. Acting as another user takes root, and a test that cannot do it
 * fails with that reason.
 * @module
 */
import type { Ended, RunOptions, Sandbox } from "./binary.ts";

/** `nobody`, and its group. */
export const OTHER_UID = 65_534;

/** The name of that user, as messages show it. */
export const OTHER_NAME = "nobody";

/** Runs a program, by default the compiled binary, as the other user. */
export async function asOther(box: Sandbox, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  expectRoot();
  const ids = [`--reuid=${OTHER_UID}`, `--regid=${OTHER_UID}`, "--clear-groups"];
  return await box.run([...ids, options.program ?? box.binary, ...args], { ...options, program: "/usr/bin/setpriv" });
}

/** Makes a folder that is the other user's, in a place that this one can reach. */
export async function folderOfOther(box: Sandbox, name: string, mode = 0o755): Promise<string> {
  expectRoot();
  const root = box.directory.slice(0, box.directory.lastIndexOf("/"));
  await Deno.chmod(root, 0o755);
  await Deno.chmod(box.directory, 0o755);
  const folder = `${box.directory}/${name}`;
  await Deno.mkdir(folder);
  await Deno.chmod(folder, mode);
  await Deno.chown(folder, OTHER_UID, OTHER_UID);
  return folder;
}

function expectRoot(): void {
  if (Deno.uid() !== 0) throw new Error("this test acts as two users: it has to be run as root");
}
