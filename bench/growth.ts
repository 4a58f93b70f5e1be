/**
 * Claims must cost the same however many jobs there are: 1,000 waiting alone
 * against a million waiting, and against a million of every other kind beside.
 *
 * Closed gates are looked at again every few seconds. Those rows include that:
 * they claim as a worker does, and time leaps past the pause in each slice.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { openStore, type Store } from "../lib/store/mod.ts";
import { GateWatch } from "../lib/worker/gate_watch.ts";
import { type Bench, CLOCK, compare } from "./bench.ts";
import { type Fill, fill, newPath, openRaw } from "./database.ts";
import type { Finding } from "./finding.ts";

/** What waits in every case. */
const WAITING = 1_000;
/** In one slice: well below what waits, so that there is always something to take. */
const CLAIMS = 250;
const SLICES = 8;
/** Of the case with many queues. */
const QUEUES = 3_000;
/** Longer than any gate goes without a look. */
const LEAP_MS = 6_000;

interface Case {
  readonly name: string;
  readonly crowd: Omit<Fill, "count">;
  /** Run before the crowd is added. */
  readonly before?: string;
  readonly sql?: string;
  /** Claims in one slice. Default: {@linkcode CLAIMS}. */
  readonly claims?: number;
  /** Shown without a limit. */
  readonly isShownOnly?: boolean;
  /** Claims as a worker does, looking at gates in between. Default: claims only. */
  readonly looksAtGates?: boolean;
}

const CASES: readonly Case[] = [
  { name: "waiting", crowd: {} },
  { name: "scheduled", crowd: { columns: { state: "'scheduled'", run_at: "4102444800000 + i" } } },
  { name: "failed", crowd: { columns: { state: "'failed'", run_at: "4102444800000 + i", attempts: "1" } } },
  { name: "finished", crowd: { columns: { state: "'completed'", finished_at: "i", attempts: "1" } } },
  { name: "behind one lock", crowd: { columns: { parked: "'lock'", lock: "'x'" } } },
  { name: "blocked", crowd: { columns: { state: "'blocked'", parents_left: "1" } } },
  {
    name: "in a queue at its rate",
    crowd: { queue: "slow" },
    sql: `
      update queues set rate_count = 1, rate_ms = 1000000000000 where name = 'slow';
      insert into queue_starts (queue, slot, started_at) values ('slow', 1, ${Date.now()});
    `,
  },
  {
    name: "in a paused queue",
    crowd: { queue: "paused" },
    sql: "update queues set paused = 1 where name = 'paused'",
  },
  {
    name: `waiting in ${QUEUES.toLocaleString("en")} queues`,
    crowd: { columns: { queue: `'q' || (i % ${QUEUES})` } },
    before: `
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${QUEUES - 1})
      insert into queues (name, created_at) select 'q' || i, 0 from n;
    `,
    // The first claim looks at every queue, which takes some 10 ms; later ones remember the order for a moment.
    claims: 10,
    isShownOnly: true,
  },
];

const GATE_CASES: readonly Case[] = [
  { name: "closed gates, one expression", gate: "'file:/never/there'" },
  { name: "closed gates, each its own", gate: "'file:/never/there/' || i" },
].map(({ name, gate }) => ({ name, crowd: { columns: { parked: "'gate'", gate } }, looksAtGates: true }));

/** A store, and a second connection that puts back what was claimed. */
interface Subject {
  readonly store: Store;
  readonly raw: DatabaseSync;
  readonly gates: GateWatch | undefined;
  /** Lets time pass. */
  leap(ms: number): void;
}

export async function growthRows(bench: Bench): Promise<Finding[]> {
  return [
    ...await rowsFor(bench, CASES, bench.size(1_000_000, 50_000)),
    ...await rowsFor(bench, GATE_CASES, bench.size(100_000, 50_000)),
  ];
}

/** Each case against the same without its crowd. */
async function rowsFor(bench: Bench, cases: readonly Case[], crowd: number): Promise<Finding[]> {
  const small = await prepared(bench, { ...cases[0]!, name: "alone" }, 0);
  const findings: Finding[] = [];
  for (const each of cases) {
    const large = await prepared(bench, each, crowd);
    // Both are compiled by V8, and their pages read, before it counts.
    const count = each.claims ?? CLAIMS;
    for (let i = 0; i < SLICES; i++) await claims(small, count), await claims(large, count);
    const cost = await compare(SLICES, { ours: () => claims(large, count), floor: () => claims(small, count) });
    await dispose(large);
    const us = (ms: number) => ms * 1_000 / (SLICES * count);
    findings.push({
      what: `claim with ${thousands(crowd)} ${each.name}, against ${thousands(WAITING)} waiting alone`,
      unit: "us",
      measured: us(cost.ours),
      floor: us(cost.floor),
      limit: { of: "ratio", better: "lower", ...each.isShownOnly ? {} : { pass: 1.3, goal: 1.1 } },
    });
  }
  await dispose(small);
  return findings;
}

async function prepared(bench: Bench, each: Case, count: number): Promise<Subject> {
  const { name, crowd, before = "", sql = "", looksAtGates = false } = each;
  let leapt = 0;
  const clock = { now: () => CLOCK.now() + leapt, monotonic: () => CLOCK.monotonic() + leapt };
  const path = newPath(bench, `growth-${name.replaceAll(/\W+/g, "-")}`);
  const store = await openStore(path, { mode: "work", clock });
  const raw = openRaw(store.location, "normal");
  raw.exec(before);
  if (count > 0) fill(raw, { ...crowd, count });
  fill(raw, { count: WAITING });
  raw.exec(sql);
  raw.exec("pragma wal_checkpoint(truncate)");
  return { store, raw, gates: looksAtGates ? new GateWatch({ store, clock }) : undefined, leap: (ms) => leapt += ms };
}

async function dispose({ store, raw }: Subject): Promise<void> {
  raw.close();
  await store.close();
  await Deno.remove(store.location);
}

/** Milliseconds for some claims. What they took is put back, outside the measurement. */
async function claims({ store, raw, gates, leap }: Subject, count: number): Promise<number> {
  leap(LEAP_MS);
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    await gates?.look();
    const jobs = await store.jobs.claim({
      workerId: "bench",
      slots: 1,
      isIdle: true,
      judgeGate: gates?.judge,
      openGates: gates?.open(),
    });
    gates?.took(jobs);
    if (jobs.length === 0) throw new Error(`Nothing was claimed from ${store.location}, though jobs wait`);
  }
  const took = performance.now() - start;
  raw.exec(`
    update jobs set state = 'pending', worker_id = null, started_at = null, attempts = 0, run_count = 0
    where state = 'processing';
    delete from runs;
  `);
  return took;
}

function thousands(n: number): string {
  return n.toLocaleString("en");
}
