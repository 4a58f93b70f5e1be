/**
 * Which gates a worker finds open on its host, for jobs that wait at them.
 *
 * It goes round the distinct gates, not the jobs: a pass over all of them, some
 * at a time, then a pause. It reads the store and judges; nothing is written
 * while a gate stays closed. The open ones go with the worker's claims, which
 * take the jobs from where they wait.
 *
 * Time is monotonic: a clock that is set forward or back changes nothing.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { GateVerdict } from "../core/gate.ts";
import type { Job } from "../core/job.ts";
import { gateJudge } from "../host/host_readings.ts";
import type { Store, WaitingGate } from "../store/mod.ts";

/** From the begin of a pass to that of the next. */
const PASS_MS = 5_000;
/**
 * In one look: about a millisecond. With the pause below that is never more than a hundredth of a core; 5,000 distinct
 * gates take the 5 seconds of a pass, and 100,000 a hundred.
 */
const MAX_LOOKED_AT = 100;
const LOOK_PAUSE_MS = 100;
/** Each costs every claim a step or two in an index. Those that come too late for a place have one in the next look. */
const MAX_OPEN = 16;

export interface GateWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Those that the worker serves; undefined: all. */
  readonly queues?: readonly string[] | undefined;
  /** Default: as this host is. */
  readonly judge?: ((gate: string) => GateVerdict) | undefined;
}

export class GateWatch {
  /** Tells at once whether a gate is open here. */
  readonly judge: (gate: string) => GateVerdict;
  readonly #options: GateWatchOptions;
  /** By queue and text; in the order in which they were last found. */
  readonly #open = new Map<string, { readonly gate: WaitingGate; readonly pass: number }>();
  #pass = 0;
  #passBegan = -Infinity;
  /** Where the pass goes on; undefined: the next one begins. */
  #next: WaitingGate | undefined;
  #nextLook = -Infinity;
  /** Open ones that the last look found, and jobs with gates that were taken since. */
  #found = 0;
  #taken = 0;

  constructor(options: GateWatchOptions) {
    this.#options = options;
    this.judge = options.judge ?? gateJudge(() => options.clock.monotonic());
  }

  /** Gates that were open when last looked at. */
  open(): readonly WaitingGate[] {
    return [...this.#open.values()].map(({ gate }) => gate);
  }

  /** Looks at some gates when it is time for it. */
  async look(): Promise<void> {
    const { store, clock, queues } = this.#options;
    const now = clock.monotonic();
    if (now < this.#nextLook) return;
    if (this.#next === undefined) {
      this.#pass++;
      this.#passBegan = now;
    }
    const { gates, next } = await store.jobs.waitingGates({ queues, after: this.#next, limit: MAX_LOOKED_AT });
    // Open gates of a queue that is full, say, must not keep it from those of other queues.
    const wasInVain = this.#found >= MAX_OPEN && this.#taken === 0;
    const stoppedAt = this.#keepOpen(gates, wasInVain ? Infinity : MAX_OPEN);
    this.#taken = 0;
    this.#next = stoppedAt ?? next;
    if (this.#next === undefined) this.#endPass();
    this.#nextLook = Math.max(now + LOOK_PAUSE_MS, this.#next === undefined ? this.#passBegan + PASS_MS : 0);
  }

  /** Told what was claimed: when the open gates may be used up, those behind them are due. */
  took(jobs: readonly Job[]): void {
    for (const job of jobs) if (job.when !== null) this.#taken++;
    if (this.#next !== undefined && this.#taken >= MAX_OPEN) this.#nextLook = -Infinity;
  }

  /** How long to sleep, at most `mostMs`, so as not to miss the next look; that matters only when jobs wait at gates. */
  async sleepMs(mostMs: number): Promise<number> {
    const leftMs = this.#nextLook - this.#options.clock.monotonic();
    if (leftMs >= mostMs || (this.#next === undefined && !await this.#isAnyWaiting())) return mostMs;
    return Math.max(0, leftMs);
  }

  /** Other workers park jobs, too, so that only the store knows. */
  async #isAnyWaiting(): Promise<boolean> {
    const { store, queues } = this.#options;
    const { gates, next } = await store.jobs.waitingGates({ queues, limit: 1 });
    return gates.length > 0 || next !== undefined;
  }

  /** Keeps those that are open. Gives the one at which it stopped because it had found enough of them. */
  #keepOpen(gates: readonly WaitingGate[], enough: number): WaitingGate | undefined {
    this.#found = 0;
    for (const gate of gates) {
      const key = `${gate.queue}\0${gate.gate}`;
      this.#open.delete(key);
      if (!this.judge(gate.gate).isOpen) continue;
      this.#open.set(key, { gate, pass: this.#pass });
      if (this.#open.size > MAX_OPEN) this.#forgetOldest();
      if (++this.#found >= enough && gate !== gates.at(-1)) return gate;
    }
    return undefined;
  }

  #forgetOldest(): void {
    for (const key of this.#open.keys()) return void this.#open.delete(key);
  }

  /** What was not found again in a whole pass is closed, or nobody waits there any more. */
  #endPass(): void {
    for (const [key, { pass }] of this.#open) if (pass < this.#pass) this.#open.delete(key);
  }
}
