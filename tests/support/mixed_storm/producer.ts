/**
 * Those who use the queue of a mixed storm: they enqueue jobs of all kinds,
 * alone and in batches, and cancel, retry and edit some of them meanwhile.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { Dice } from "../random.ts";
import { query } from "../sqlite_database.ts";
import type { StormHost } from "./host.ts";
import { FOREIGN_KINDS, type Kind, KINDS, OPTIONS_OF } from "./script.ts";

export const QUEUES = ["red", "green", "blue"];
const LOCKS = ["l1", "l2", "l3", "l4"];
const KEYS = ["k1", "k2", "k3", "k4", "k5", "k6"];
const GATES = ["gate-1", "gate-2", "gate-3"];

/** More unfinished jobs than this only wait for each other. */
const MOST_OPEN = 150;

const BACKOFF = { strategy: "fixed", delay: 0.2, jitter: 0 };

/** As enqueue takes it. */
type StormJob = Readonly<Record<string, unknown>> & { readonly id: string };

export interface StormRecord {
  /** Ids that a command printed: these jobs must be there. */
  readonly acknowledged: Set<string>;
  /** Parents of children, by the id of the child. */
  readonly parents: Map<string, readonly string[]>;
  /** Batches that have a job to follow them. */
  readonly batches: Set<string>;
  /** Batches that are not sealed yet. */
  readonly openBatches: Set<string>;
}

export function newRecord(): StormRecord {
  return { acknowledged: new Set(), parents: new Map(), batches: new Set(), openBatches: new Set() };
}

export class Producer {
  readonly #host: StormHost;
  readonly #record: StormRecord;
  readonly #script: string;
  readonly #name: string;
  readonly #dice: Dice;
  #count = 0;

  constructor(options: {
    readonly host: StormHost;
    readonly record: StormRecord;
    readonly script: string;
    /** Begins the ids of its jobs. */
    readonly name: string;
    readonly seed: number;
  }) {
    this.#host = options.host;
    this.#record = options.record;
    this.#script = options.script;
    this.#name = options.name;
    this.#dice = new Dice(options.seed);
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#act();
      await delay(this.#dice.between(20, 150));
    }
  }

  async #act(): Promise<void> {
    const draw = this.#dice.between(1, 100);
    if (draw <= 50) return await this.#enqueueSome();
    if (draw <= 60) return await this.#enqueueKeyed();
    if (draw <= 66) return await this.#openBatch();
    if (draw <= 70) return await this.#sealBatch();
    if (draw <= 78) return await this.#change("cancel", []);
    if (draw <= 88) return await this.#change("retry", []);
    if (draw <= 94) return await this.#change("edit", this.#dice.pick([["--priority", "5"], ["--max-retries", "2"]]));
    if (draw <= 97) return await this.#openOrCloseQueue();
    await this.#toggleGate();
  }

  /** Several jobs at once; half of the times they are a batch that something follows. */
  async #enqueueSome(): Promise<void> {
    if (this.#openJobs() > MOST_OPEN) return;
    const jobs = Array.from({ length: this.#dice.between(2, 8) }, () => this.#job());
    const flags: string[] = [];
    if (this.#dice.chance(0.5)) {
      const batch = `batch-${this.#name}-${++this.#count}`;
      this.#record.batches.add(batch);
      flags.push("--batch", batch, "--on-batch-done", this.#callback(batch));
    }
    const stdin = jobs.map((job) => JSON.stringify(job)).join("\n");
    const { code } = await this.#host.run(["enqueue-batch", ...flags, "-"], [0, 4], { stdin });
    if (code === 0) { for (const { id } of jobs) this.#record.acknowledged.add(id); }
  }

  async #enqueueKeyed(): Promise<void> {
    const key = this.#dice.pick(KEYS);
    const conflict = this.#dice.pick(["skip", "attach", "replace", "fail"]);
    const job = { ...this.#job({ key }), key, on_conflict: conflict };
    const { code, stdout } = await this.#host.run(["enqueue", "-"], [0, 4], { stdin: JSON.stringify(job) });
    if (code === 0 && stdout.trim() === job.id) this.#record.acknowledged.add(job.id);
  }

  async #openBatch(): Promise<void> {
    const batch = `open-${this.#name}-${++this.#count}`;
    const job = { ...this.#job(), batch };
    const { code } = await this.#host.run(["enqueue", "-"], [0, 4], { stdin: JSON.stringify(job) });
    if (code !== 0) return;
    this.#record.acknowledged.add(job.id);
    this.#record.openBatches.add(batch);
  }

  async #sealBatch(): Promise<void> {
    const [batch] = this.#record.openBatches;
    if (batch === undefined) return;
    await this.sealOne(batch);
  }

  /** Seals an open batch, so that something follows it. */
  async sealOne(batch: string): Promise<void> {
    // Another producer may have been as fast.
    const { code } = await this.#host.run(
      ["batch", "seal", batch, "--on-batch-done", this.#callback(batch)],
      [0, 4],
    );
    if (code !== 0 && code !== 4) return;
    this.#record.openBatches.delete(batch);
    this.#record.batches.add(batch);
  }

  async #change(verb: string, flags: readonly string[]): Promise<void> {
    const ids = [...this.#record.acknowledged];
    if (ids.length === 0) return;
    // The last ones are those that still wait or run.
    const id = this.#dice.chance(0.6) ? this.#dice.pick(ids.slice(-30)) : this.#dice.pick(ids);
    await this.#host.run([verb, id, ...flags], [0, 4]);
  }

  async #openOrCloseQueue(): Promise<void> {
    const queue = this.#dice.pick(QUEUES);
    const args = this.#dice.pick([["pause", queue], ["resume", queue], ["set", queue, "--concurrency", "2"], [
      "set",
      queue,
      "--rate",
      "20/1s",
    ], ["set", queue, "--concurrency", "none", "--rate", "none"]]);
    await this.#host.run(["queue", ...args], [0, 3]);
    if (args[0] === "pause") await this.#host.run(["queue", "resume", queue], [0, 3]);
  }

  /** Gates are opened once, so that a run may say whether its gate was open. */
  async #toggleGate(): Promise<void> {
    await Deno.writeTextFile(`${this.#host.box.directory}/${this.#dice.pick(GATES)}`, "");
  }

  #job({ key }: { readonly key?: string } = {}): StormJob {
    const dice = this.#dice;
    const kinds: readonly Kind[] = this.#host.asRoot === undefined ? KINDS : [...KINDS, ...FOREIGN_KINDS];
    const kind = dice.chance(0.35) ? "quick" : dice.pick(kinds);
    const id = `${this.#name}-${++this.#count}`;
    // A child that its job leaves behind on purpose may outlive it, and would hold its lock and key.
    const leaves = kind.startsWith("left") || kind === "foreign_left";
    const lock = !leaves && dice.chance(0.3) ? dice.pick(LOCKS) : undefined;
    const gate = dice.chance(0.1) ? dice.pick(GATES) : undefined;
    const parent = dice.chance(0.2) ? this.#parent() : undefined;
    if (parent !== undefined) this.#record.parents.set(id, [parent]);
    const held = leaves ? undefined : key;
    const words = ["sh", `'${this.#script}'`, kind, lock ?? "-", held ?? "-", gate ?? "-"];
    return {
      id,
      command: words.join(" "),
      queue: dice.pick(QUEUES),
      priority: dice.between(0, 3),
      backoff: BACKOFF,
      ...(lock !== undefined && { lock }),
      ...(gate !== undefined && { when: `file:${this.#host.box.directory}/${gate}` }),
      ...(parent !== undefined && { after: [parent] }),
      ...(dice.chance(0.05) && { expires_at: "+20s" }),
      ...OPTIONS_OF[kind],
    };
  }

  #parent(): string | undefined {
    const ids = [...this.#record.acknowledged].slice(-20);
    return ids.length === 0 ? undefined : this.#dice.pick(ids);
  }

  #callback(batch: string): string {
    return `sh '${this.#script}' quick - - - # follows ${batch}`;
  }

  #openJobs(): number {
    const [row] = query(this.#host.box.db, "select count(*) as n from jobs where finished_at is null");
    return Number(row?.n);
  }
}

/** Opens what may keep jobs from running, and seals what is open: from here on all of them come to their end. */
export async function openEverything(host: StormHost, record: StormRecord, producer: Producer): Promise<void> {
  for (const gate of GATES) await Deno.writeTextFile(`${host.box.directory}/${gate}`, "");
  for (const queue of QUEUES) await host.run(["queue", "resume", queue], [0, 3]);
  for (const batch of record.openBatches) await producer.sealOne(batch);
}
