/**
 * What a command that waits for a pool does for its supervisor: one that was
 * killed meanwhile, or that hangs, is replaced by another.
 * @module
 */
import { endSupervisor } from "./end_supervisor.ts";
import type { PoolControl, PoolSighting } from "./pool_control.ts";
import { wakeSupervisors } from "./pool_files.ts";

/** A supervisor that was started is there by then, or not at all. */
const SUPERVISOR_PATIENCE_MS = 5_000;
/** After a write of our own, which shows that it could have written, too. */
const PROVEN_PATIENCE_MS = 3_000;
export const USUAL_LEASE_MS = 30_000;

export interface PatienceOptions {
  /** The last beat before it was asked for something. */
  readonly beat: number | undefined;
  /** It was asked for something just now, so it has to beat soon. */
  readonly isAsked: boolean;
  /** A write of our own, which shows that the supervisor could have written, too. */
  readonly prove: () => Promise<void>;
}

export class SupervisorPatience {
  readonly #control: PoolControl;
  readonly #prove: () => Promise<void>;
  isAnswered: boolean;
  #beat: number | undefined;
  /** Monotonic times. */
  #since: number;
  #provenAt: number | undefined;
  #nextStart: number;

  constructor(control: PoolControl, { beat, isAsked, prove }: PatienceOptions) {
    this.#control = control;
    this.#prove = prove;
    this.isAnswered = !isAsked;
    this.#beat = beat;
    this.#since = control.clock.monotonic();
    this.#nextStart = this.#since + SUPERVISOR_PATIENCE_MS;
  }

  async look({ pool, isSupervised }: PoolSighting): Promise<void> {
    const { store, clock, key, leaseMs = USUAL_LEASE_MS } = this.#control;
    const now = clock.monotonic();
    if (pool === undefined) return;
    if (!isSupervised) {
      if (now > this.#nextStart) this.#start(now);
      return;
    }
    const beat = pool.supervisor?.beat_at;
    if (beat !== this.#beat) {
      this.isAnswered = true;
      this.#beat = beat;
      this.#since = now;
      this.#provenAt = undefined;
      return;
    }
    // It beats when it hears of a request, and later at its usual pace.
    if (now - this.#since < (this.isAnswered ? leaseMs : SUPERVISOR_PATIENCE_MS)) return;
    if (this.#provenAt === undefined) {
      await this.#prove();
      wakeSupervisors(store.folder);
      this.#provenAt = clock.monotonic();
    } else if (now - this.#provenAt > PROVEN_PATIENCE_MS && endSupervisor(store.folder, key, pool.supervisor)) {
      this.#provenAt = undefined;
      this.#start(now);
    }
  }

  #start(now: number): void {
    this.#control.startSupervisor();
    this.isAnswered = false;
    this.#since = now;
    this.#nextStart = now + SUPERVISOR_PATIENCE_MS;
  }
}
