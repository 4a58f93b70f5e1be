/**
 * The workers that a supervisor started itself: whose end it hears of, and
 * which of them are not registered yet.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { WorkerRecord } from "../store/mod.ts";

/** A worker that is not registered by then hangs. Long, because a busy machine may take many seconds. */
const START_LIMIT_MS = 60_000;

interface ChildWorker {
  readonly pid: number;
  readonly startedAt: number;
  /** Known as soon as it is registered. */
  workerId?: string;
  /** Its end was asked for. */
  isExpectedToEnd?: boolean;
}

export interface ChildWorkersOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly reasonOf: (pid: number) => string | undefined;
  /** One has ended; `wasExpected`: it was told to. */
  readonly onEnd: (wasExpected: boolean) => void;
}

export class ChildWorkers {
  readonly #options: ChildWorkersOptions;
  readonly #children = new Map<number, ChildWorker>();

  constructor(options: ChildWorkersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#children.size;
  }

  add(spawned: { readonly pid: number; ended(): Promise<Deno.CommandStatus> }): void {
    const child: ChildWorker = { pid: spawned.pid, startedAt: this.#options.clock.monotonic() };
    this.#children.set(child.pid, child);
    void spawned.ended().then((status) => this.#ended(child, status));
  }

  /** How many are started and not registered. Those that take too long are ended. */
  starting(): number {
    const waiting = [...this.#children.values()].filter((child) => child.workerId === undefined);
    for (const { pid, startedAt } of waiting) {
      if (this.#options.clock.monotonic() - startedAt > START_LIMIT_MS) kill(pid);
    }
    return waiting.length;
  }

  /** Takes note that a worker is registered. False when it is not one of ours. */
  registered(worker: WorkerRecord): boolean {
    const child = this.#children.get(worker.pid);
    if (child === undefined) return false;
    child.workerId ??= worker.id;
    child.isExpectedToEnd ||= worker.state === "draining";
    return child.workerId === worker.id;
  }

  /** The end of this worker is asked for. */
  expectEnd(workerId: string): void {
    for (const child of this.#children.values()) if (child.workerId === workerId) child.isExpectedToEnd = true;
  }

  #ended(child: ChildWorker, { code, signal }: Deno.CommandStatus): void {
    const { log, reasonOf, onEnd } = this.#options;
    this.#children.delete(child.pid);
    const { pid, workerId, isExpectedToEnd = false } = child;
    if (workerId === undefined && code === 0) {
      // It asks before it registers, and ends when it is wanted no more.
      log.info("worker not needed any more", { pid });
    } else if (workerId === undefined) {
      const reason = reasonOf(pid) ?? (signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`);
      log.error("worker did not start", { pid, reason });
    } else if (isExpectedToEnd) {
      log.info("worker ended", { worker: workerId, pid });
    } else if (code === 0) {
      log.info("worker ended by itself", { worker: workerId, pid });
    } else {
      log.warn("worker died", { worker: workerId, pid, code, signal });
    }
    onEnd(isExpectedToEnd);
  }
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It ended just now.
  }
}
