/** What git tells of the sources. @module */
import { ROOT } from "../compile/compiler.ts";

export interface Commit {
  id: string;
  /** RFC 3339, in UTC. */
  time: string;
  /** Whether files differ from it. */
  isChanged: boolean;
}

/** Undefined outside a repository, as in an unpacked archive. */
export async function currentCommit(): Promise<Commit | undefined> {
  const head = await git("log", "-1", "--format=%H %ct");
  if (head === undefined) return undefined;
  const [id = "", seconds] = head.trim().split(" ");
  const changes = await git("status", "--porcelain", "--untracked-files=no");
  return { id, time: new Date(Number(seconds) * 1_000).toISOString(), isChanged: changes !== "" };
}

async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", { args, cwd: ROOT, stdin: "null", stderr: "null" })
      .output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined; // no git
    throw error;
  }
}
