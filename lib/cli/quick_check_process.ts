/**
 * `doctor --quick` in a process of its own, for those who must not stand still
 * while a large database is read.
 * @module
 */
import { sameStore, selfCommand } from "../worker/spawn_self.ts";

/** What is wrong with the store; undefined when nothing is. @throws when the check itself could not be made. */
export async function quickCheckProcess(dbPath: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const { args, env } = sameStore(dbPath);
  const [program, ...rest] = selfCommand([...args, "doctor", "--quick", "--json"]);
  const child = new Deno.Command(program, {
    args: rest,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    ...(signal === undefined ? {} : { signal }),
  }).spawn();
  const text = await new Response(child.stdout).text();
  const { code } = await child.status;
  if (signal?.aborted || code === 0) return undefined;
  const [check] = parsed(text);
  if (code === 5 && check !== undefined) return check.message;
  throw new Error(`The check of the database ended with code ${code}`);
}

function parsed(text: string): { message: string }[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
