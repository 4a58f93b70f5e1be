/**
 * Signals at the processes of a mixed storm: KILL, TERM and STOP at workers,
 * supervisors and guardians, at moments that a seed decides.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { Dice } from "../random.ts";
import type { StormHost } from "./host.ts";
import { STEADY_POOL } from "./pools.ts";

export interface StormProcess {
  readonly pid: number;
  readonly parent: number;
  readonly role: "worker" | "supervisor" | "guardian";
  readonly pool: string;
}

/** Shorter than the lease of a storm, and longer than it. */
const STOPPED_MS = { least: 200, most: 4_500 };

/** What a guardian alone says in its command line. */
const GUARDIAN = "while read -r _; do";

/** The processes that queuectl itself runs, as far as their roles can be told. */
export function stormProcesses(host: StormHost): readonly StormProcess[] {
  return host.box.processes().flatMap(({ pid, command }) => {
    const pool = /--pool (\S+)/.exec(command)?.[1] ?? "";
    const role = command.includes(" __worker ")
      ? "worker"
      : command.includes(" __supervisor ")
      ? "supervisor"
      : command.includes(GUARDIAN)
      ? "guardian"
      : undefined;
    return role === undefined ? [] : [{ pid, parent: parentOf(pid), role, pool }];
  });
}

export class Blows {
  readonly #host: StormHost;
  readonly #dice: Dice;
  /** Stopped processes that are to go on: nothing may wait for them for ever. */
  readonly #resumptions = new Set<Promise<void>>();
  readonly counts = new Map<string, number>();

  constructor(host: StormHost, seed: number) {
    this.#host = host;
    this.#dice = new Dice(seed);
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await delay(this.#dice.between(100, 900));
      this.#strike();
    }
    await Promise.all(this.#resumptions);
  }

  #strike(): void {
    const all = stormProcesses(this.#host);
    const targets = all.filter(({ role, pool }) => role === "guardian" || pool !== STEADY_POOL);
    if (targets.length === 0) return;
    const target = this.#dice.pick(targets);
    const draw = this.#dice.between(1, 10);
    if (draw <= 4) this.#signal(target, "SIGKILL");
    else if (draw <= 5) this.#signal(target, "SIGTERM");
    else if (draw <= 8) this.#stopForAWhile(target);
    else if (draw <= 9) this.#killWithoutGuardian(target, all);
    else this.#killWholePool(target, all);
  }

  /** The guardian cannot kill the jobs of a worker that was killed: rescue has to. */
  #killWithoutGuardian(target: StormProcess, all: readonly StormProcess[]): void {
    const worker = all.find(({ pid, role }) => role === "worker" && (pid === target.pid || pid === target.parent));
    if (worker === undefined || worker.pool === STEADY_POOL) return;
    const guardian = all.find(({ parent, role }) => role === "guardian" && parent === worker.pid);
    if (guardian !== undefined) this.#stopForAWhile(guardian);
    this.#signal(worker, "SIGKILL");
  }

  /** Nobody of the pool is left to notice it. */
  #killWholePool(target: StormProcess, all: readonly StormProcess[]): void {
    if (target.pool === "") return;
    for (const one of all) if (one.pool === target.pool) this.#signal(one, "SIGKILL");
  }

  #stopForAWhile(target: StormProcess): void {
    this.#signal(target, "SIGSTOP");
    const resumption = delay(this.#dice.between(STOPPED_MS.least, STOPPED_MS.most)).then(() => {
      send(target.pid, "SIGCONT");
      this.#resumptions.delete(resumption);
    });
    this.#resumptions.add(resumption);
  }

  #signal({ pid, role }: StormProcess, signal: Deno.Signal): void {
    if (!send(pid, signal)) return;
    const name = `${signal} ${role}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

function send(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch {
    return false; // gone meanwhile
  }
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1] ?? 0);
  } catch {
    return 0; // gone meanwhile
  }
}
