/**
 * Who is at the keyboard, for the audit. By the user database, not by
 * variables that anyone can set.
 * @module
 */
import type { Actor } from "../store/store.ts";

export function currentActor(): Actor {
  return { user: userName(), host: Deno.hostname(), pid: Deno.pid };
}

function userName(): string {
  const uid = String(Deno.uid());
  try {
    for (const line of Deno.readTextFileSync("/etc/passwd").split("\n")) {
      const [name, , number] = line.split(":");
      if (number === uid && name) return name;
    }
  } catch {
    // No such file (some containers): the number tells as much.
  }
  return `uid ${uid}`;
}
