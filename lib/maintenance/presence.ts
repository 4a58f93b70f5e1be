/**
 * Whether another process of the queue, a worker or the holder of a lease, is
 * still there.
 *
 * - On this host its lock tells, at once.
 * - Elsewhere (another host or pid namespace, a network filesystem) it is gone
 *   when its beat counter stood still for a lease, measured by our own monotonic
 *   time: its clock and ours prove nothing.
 * - On this host, silent for a lease and holding its lock, it hangs: the caller
 *   ends it, and then its lock tells.
 *
 * Silence counts only while we look regularly, and look after a write of our
 * own: a database that nobody can write, a suspended machine or a stopped
 * observer make everybody silent and nobody dead.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import { isOnNetwork } from "../host/network_filesystem.ts";
import { holdsItsLock } from "../host/own_process.ts";
import { isRunning, isSameHost, ownIdentity } from "../host/process_identity.ts";
import { type TakenLock, tryWorkerLock } from "../host/worker_lock.ts";
import type { LeaseHolder } from "../store/mod.ts";

/** Somebody who holds a worker lock and raises a counter. */
export interface Party extends LeaseHolder {
  readonly beat: number;
}

export type Presence =
  | { readonly kind: "here" }
  /** On this host, holding its lock, and not a beat for a lease. */
  | { readonly kind: "hangs" }
  /** With its lock, when that could be taken: the caller removes or releases it. */
  | { readonly kind: "gone"; readonly lock: TakenLock | undefined; readonly how: "lock" | "silence" };

export interface LookOptions {
  readonly leaseMs: number;
}

/** Looks may be this far apart and still count as looking; with a longer lease, a quarter of it. */
const MAX_GAP_MS = 5_000;

interface Sighting {
  readonly beat: number;
  /** Monotonic time at which this beat was first seen. */
  readonly since: number;
}

export class PresenceWatch {
  readonly #clock: Clock;
  readonly #runFolder: string;
  readonly #self = ownIdentity();
  #isOnNetwork: boolean | undefined;
  #seen = new Map<string, Sighting>();
  #lastLook = -Infinity;

  constructor(clock: Clock, runFolder: string) {
    this.#clock = clock;
    this.#runFolder = runFolder;
  }

  /** Takes note of all of them, right after a write of our own; who is not among them is forgotten. */
  look(parties: readonly Party[], { leaseMs }: LookOptions): ReadonlyMap<string, Presence> {
    const now = this.#clock.monotonic();
    const isGap = now - this.#lastLook > Math.max(MAX_GAP_MS, leaseMs / 4);
    const before = isGap ? new Map<string, Sighting>() : this.#seen;
    this.#seen = new Map(parties.map(({ id, beat }) => {
      const known = before.get(id);
      return [id, known?.beat === beat ? known : { beat, since: now }];
    }));
    this.#lastLook = now;
    const presences = new Map<string, Presence>();
    try {
      for (const party of parties) {
        const isSilent = now - (this.#seen.get(party.id)?.since ?? now) >= leaseMs;
        presences.set(party.id, this.#presence(party, isSilent));
      }
      return presences;
    } catch (error) {
      releaseLocks(presences.values());
      throw error;
    }
  }

  #presence(party: Party, isSilent: boolean): Presence {
    if (!this.#canAskLock(party)) {
      return isSilent ? { kind: "gone", lock: undefined, how: "silence" } : { kind: "here" };
    }
    const lock = tryWorkerLock(this.#runFolder, party.id);
    if (typeof lock !== "string") return { kind: "gone", lock, how: "lock" };
    // Asked only when it matters: it costs more than the lock, for each worker, at every look.
    const isHere = () => isRunning(party.pid, party.process_start);
    const isSelf = party.pid === this.#self.pid && party.process_start === this.#self.process_start;
    if (lock === "missing") {
      if (!isHere()) return { kind: "gone", lock: undefined, how: "lock" };
      // A missing lock proves nothing: somebody removed the file under a worker that lives, or this database is a copy
      // and the worker at work on the original. It is not for us to end.
      return isSilent && !isSelf ? { kind: "gone", lock: undefined, how: "silence" } : { kind: "here" };
    }
    // The file of root, who ran a worker on our database. Where the system hides its process too, its silence tells.
    if (lock === "foreign" && isSilent && !isHere()) return { kind: "gone", lock: undefined, how: "silence" };
    // A lock without its owner is in the hands of somebody who cleans up.
    return isSilent && !isSelf && holdsItsLock(party, this.#runFolder) ? { kind: "hangs" } : { kind: "here" };
  }

  #canAskLock(party: Party): boolean {
    if (!isSameHost(party, this.#self)) return false;
    return !(this.#isOnNetwork ??= isOnNetwork(this.#runFolder));
  }
}

/** Leaves those that are gone to whoever looks next. */
export function releaseLocks(presences: Iterable<Presence>): void {
  for (const presence of presences) if (presence.kind === "gone") presence.lock?.release();
}

/** How long silence is believed: never less than two beats. */
export function effectiveLeaseMs(settings: { lease: number; heartbeat_interval: number }): number {
  return Math.max(settings.lease, 2 * settings.heartbeat_interval);
}
