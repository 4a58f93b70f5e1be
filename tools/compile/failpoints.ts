/**
 * Named places where a test can stop this process: `QUEUECTL_FAILPOINT=after-claim`
 * kills it there, `after-claim:3` at the third time, `after-claim:1:TERM` sends
 * another signal. Does nothing when unset.
 *
 * `compile --failpoints` puts this in the place of lib/worker/failpoints.ts. A
 * shipped program must not have it: a variable would kill its workers.
 * @module
 */
import type { Failpoint } from "../../lib/worker/failpoints.ts";

/** Complete, because a name that lacks here is an error of type there. */
const PLACES: Readonly<Record<Failpoint, true>> = {
  "after-claim": true,
  "before-spawn": true,
  "after-spawn": true,
  "before-result": true,
  "after-result": true,
};

export const FAILPOINTS = Object.keys(PLACES) as readonly Failpoint[];

interface Armed {
  readonly name: string;
  readonly signal: Deno.Signal;
  left: number;
}

let armed: Armed | undefined | null = null;

export function failpoint(name: Failpoint): void {
  if (armed === null) armed = read();
  if (armed === undefined || armed.name !== name || --armed.left !== 0) return;
  Deno.kill(Deno.pid, armed.signal);
}

function read(): Armed | undefined {
  const [name, count = "1", signal = "KILL"] = (Deno.env.get("QUEUECTL_FAILPOINT") ?? "").split(":");
  return name ? { name, left: Number(count), signal: `SIG${signal}` as Deno.Signal } : undefined;
}
