/**
 * How soon a job begins on an idle queue: the job writes a byte into a FIFO
 * with its first instruction.
 * @module
 */
import { type Box, sleep } from "./box.ts";
import type { Pickup } from "./peer.ts";

/** Long enough for a worker to be idle again; the random part avoids being in step with a poll. */
const PAUSE_MS = 60;

/** `enqueue` gets the shell command of the job. */
export async function pickupsBy(
  box: Box,
  count: number,
  enqueue: (command: string) => Promise<unknown>,
): Promise<Pickup[]> {
  const path = box.path("fifo");
  await box.run(["mkfifo", path]);
  // Read and write, so that it is never at its end between two jobs.
  using fifo = await Deno.open(path, { read: true, write: true });
  const one = async (): Promise<Pickup> => {
    await sleep(PAUSE_MS * (1 + Math.random()));
    const start = performance.now();
    const begun = fifo.read(new Uint8Array(1)).then(() => performance.now());
    await enqueue(`echo >'${path}'`);
    const returned = performance.now();
    const at = await begun;
    return { fromStart: at - start, fromReturn: Math.max(0, at - returned) };
  };
  // The first one loads what is loaded lazily.
  await one();
  const pickups: Pickup[] = [];
  while (pickups.length < count) pickups.push(await one());
  return pickups;
}
