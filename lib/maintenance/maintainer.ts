/**
 * Runs each maintenance task on its interval, in one process at a time.
 *
 * Every process that could do it tries for the lease. Whether the holder is gone
 * is found out as for a worker, so that on one host another takes over within
 * `WATCH_MS` of its death. Two holders for a moment do no harm: every change of
 * every task is guarded by the state that it expects.
 * @module
 */
import type { SettingValues } from "../config/settings.ts";
import type { LeaseHolder } from "../store/mod.ts";
import { effectiveLeaseMs, PresenceWatch } from "./presence.ts";
import { endHanging } from "./rescue_orphans.ts";
import type { MaintenanceContext, MaintenanceTask } from "./task.ts";

export interface ScheduledTask {
  readonly name: string;
  readonly task: MaintenanceTask;
  readonly intervalMs: (settings: Readonly<SettingValues>) => number;
}

export interface MaintainerOptions {
  readonly context: Omit<MaintenanceContext, "signal">;
  /** This process; it holds the worker lock of this id. */
  readonly self: LeaseHolder;
  readonly tasks: readonly ScheduledTask[];
}

export interface Maintainer {
  /** Whether the duty is with this process. */
  readonly isHolder: boolean;
  /** Lets tasks end what they are at, and lets go of the lease. */
  stop(): Promise<void>;
}

export const MAINTENANCE_LEASE = "maintenance";

/** Longest time without a look for due tasks, by the one who has the lease. */
const STEP_MS = 2_000;
/** Tasks that are due within this time go together: waking up costs as much as doing one of them. */
const TOGETHER_MS = 500;
/** How often the others look for a dead holder. They are many and mostly idle: each look is a tenth of what that costs. */
const WATCH_MS = 2_500;
/** While a step waits to write: how often it is looked for the one who keeps it waiting. */
const IMPATIENCE_MS = 1_000;

export function startMaintainer(options: MaintainerOptions): Maintainer {
  return new LeasedMaintainer(options);
}

class LeasedMaintainer implements Maintainer {
  readonly #context: MaintenanceContext;
  readonly #self: LeaseHolder;
  readonly #tasks: readonly ScheduledTask[];
  readonly #watch: PresenceWatch;
  /** Of those who keep us from writing. */
  readonly #blockers: PresenceWatch;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** Monotonic times at which tasks are next due. */
  readonly #due = new Map<string, number>();
  #isHolder = false;
  #nextBeat = 0;
  #timer: number | undefined;
  #step: Promise<void>;

  constructor({ context, self, tasks }: MaintainerOptions) {
    this.#context = { ...context, signal: this.#stopping.signal };
    this.#self = self;
    this.#tasks = tasks;
    this.#watch = new PresenceWatch(context.clock, `${context.store.folder}/run`);
    this.#blockers = new PresenceWatch(context.clock, `${context.store.folder}/run`);
    this.#step = this.#next();
  }

  get isHolder(): boolean {
    return this.#isHolder;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#step;
    await Promise.all(this.#running.values());
    if (!this.#isHolder) return;
    try {
      await this.#context.store.leases.release(MAINTENANCE_LEASE, this.#self.id);
    } catch (error) {
      // Our lock is free in a moment: that tells the others, too.
      this.#context.log.warn("maintenance not handed over", { error: messageOf(error) });
    }
  }

  async #next(): Promise<void> {
    const impatience = setInterval(() => void this.#endBlocker(), IMPATIENCE_MS);
    try {
      this.#isHolder = this.#isHolder ? await this.#keep() : await this.#tryToTake();
      if (this.#isHolder) this.#startDue();
    } catch (error) {
      // Locked, full or gone: the next step may find it otherwise.
      this.#context.log.debug("maintenance waits for the store", { error: messageOf(error) });
    } finally {
      clearInterval(impatience);
    }
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.#step = this.#next(), this.#isHolder ? this.#restMs() : WATCH_MS);
  }

  async #tryToTake(): Promise<boolean> {
    const { store, clock, log, settings } = this.#context;
    const lease = await store.leases.get(MAINTENANCE_LEASE);
    if (lease !== undefined && lease.holder.id !== this.#self.id) {
      const parties = [{ ...lease.holder, beat: lease.beat }];
      const presence = this.#watch.look(parties, { leaseMs: effectiveLeaseMs(settings()) }).get(lease.holder.id);
      if (presence === undefined || presence.kind === "here") return false;
      // Its jobs, if it was a worker, are for rescue to give back, and so is ending one that hangs.
      if (presence.kind === "gone") presence.lock?.release();
    }
    if (!await store.leases.take(MAINTENANCE_LEASE, this.#self, lease)) return false;
    log.debug("maintenance taken", { from: lease?.holder.id });
    this.#nextBeat = clock.monotonic() + settings().heartbeat_interval;
    this.#due.clear();
    return true;
  }

  /**
   * A step that takes so long waits to write. When the one who keeps everybody from writing is a worker that hangs
   * (stopped in the middle of a transaction, say), it has to be ended; all others are silent through no fault of theirs.
   */
  async #endBlocker(): Promise<void> {
    const { store, settings } = this.#context;
    try {
      const blocker = store.blocker();
      if (blocker === undefined) return;
      const workers = (await store.workers.list()).filter(({ pid }) => pid === blocker);
      const presences = this.#blockers.look(workers, { leaseMs: effectiveLeaseMs(settings()) });
      for (const worker of workers) {
        const presence = presences.get(worker.id);
        if (presence?.kind === "hangs") endHanging(worker, this.#context);
        if (presence?.kind === "gone") presence.lock?.release();
      }
    } catch (error) {
      this.#context.log.debug("the one who blocks was not found", { error: messageOf(error) });
    }
  }

  /** Says that we live, when it is time to. False when somebody took us for dead. */
  async #keep(): Promise<boolean> {
    const { store, clock, settings } = this.#context;
    if (clock.monotonic() < this.#nextBeat) return true;
    this.#nextBeat = clock.monotonic() + settings().heartbeat_interval;
    return await store.leases.beat(MAINTENANCE_LEASE, this.#self.id);
  }

  /** Until the next task is due. */
  #restMs(): number {
    const now = this.#context.clock.monotonic();
    const waiting = this.#tasks.filter(({ name }) => !this.#running.has(name)).map(({ name }) =>
      this.#due.get(name) ?? now
    );
    return Math.max(TOGETHER_MS, Math.min(STEP_MS, ...waiting.map((at) => at - now)));
  }

  /** Each task in a lane of its own: pruning a million jobs does not delay a rescue. */
  #startDue(): void {
    const now = this.#context.clock.monotonic();
    for (const { name, task, intervalMs } of this.#tasks) {
      if (this.#running.has(name) || now + TOGETHER_MS < (this.#due.get(name) ?? -Infinity)) continue;
      this.#due.set(name, now + intervalMs(this.#context.settings()));
      this.#running.set(name, this.#run(name, task));
    }
  }

  async #run(name: string, task: MaintenanceTask): Promise<void> {
    try {
      await task.runOnce(this.#context);
    } catch (error) {
      this.#context.log.warn("maintenance task failed", { task: name, error: messageOf(error) });
    } finally {
      this.#running.delete(name);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
