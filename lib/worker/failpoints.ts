/**
 * Named places where a test can kill this process: `QUEUECTL_FAILPOINT=after-claim`,
 * or `after-claim:3` for the third time. Does nothing when unset.
 * @module
 */
export type Failpoint = "after-claim" | "before-spawn" | "after-spawn" | "before-result" | "after-result";

let armed: { name: string; left: number } | undefined | null = null;

export function failpoint(name: Failpoint): void {
  if (armed === null) armed = read();
  if (armed === undefined || armed.name !== name || --armed.left > 0) return;
  Deno.kill(Deno.pid, "SIGKILL");
}

function read(): { name: string; left: number } | undefined {
  const [name, count] = (Deno.env.get("QUEUECTL_FAILPOINT") ?? "").split(":");
  return name ? { name, left: Number(count ?? 1) } : undefined;
}
