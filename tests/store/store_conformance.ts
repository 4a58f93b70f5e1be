/**
 * The contract of a store, in cases: what `lib/store/store.ts` says in words.
 * Every implementation runs all of them:
 * `describeStore("sqlite", openEmptyStore)`.
 *
 * The cases know the Store interface only. After each of them the counters must
 * equal what counting the jobs gives.
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Clock } from "../../lib/core/clock.ts";
import type { Actor, Store } from "../../lib/store/mod.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { auditing } from "./auditing.ts";
import { batches } from "./batches.ts";
import { claiming } from "./claiming.ts";
import { concurrency } from "./concurrency.ts";
import { controlling } from "./controlling.ts";
import { dependencies } from "./dependencies.ts";
import { enqueueing } from "./enqueueing.ts";
import { finding } from "./finding.ts";
import { finishing } from "./finishing.ts";
import { history } from "./history.ts";
import { leasing } from "./leasing.ts";
import { gates } from "./gates.ts";
import { keys } from "./keys.ts";
import { limits } from "./limits.ts";
import { importing } from "./importing.ts";
import { listing } from "./listing.ts";
import { locks } from "./locks.ts";
import { maintenance } from "./maintenance.ts";
import { pools } from "./pools.ts";
import { promoting } from "./promoting.ts";
import { rescuing } from "./rescuing.ts";
import { reserving } from "./reserving.ts";
import { queues } from "./queues.ts";
import { removing } from "./removing.ts";
import { settings } from "./settings.ts";
import { templates } from "./templates.ts";
import { waking } from "./waking.ts";
import { workers } from "./workers.ts";

/** A store that was empty when it was opened. Disposing closes it and removes all traces. */
export interface EmptyStore extends AsyncDisposable {
  readonly store: Store;
  /** Another connection to the same store, as another process would have it; closed with the first. */
  open(options?: { readonly actor?: Actor }): Promise<Store>;
}

/** What a case gets to work with. */
export interface StoreCase {
  readonly store: Store;
  readonly clock: FakeClock;
  /** Another connection, in the name of somebody if said. */
  open(options?: { readonly actor?: Actor }): Promise<Store>;
}

/** Registers a case; its name is a sentence about the store. */
export type DescribeCase = (sentence: string, body: (subject: StoreCase) => Promise<void>) => void;

export function describeStore(name: string, openEmptyStore: (clock: Clock) => Promise<EmptyStore>): void {
  const test: DescribeCase = (sentence, body) => {
    Deno.test(`${name}: ${sentence}`, async () => {
      const clock = new FakeClock();
      await using subject = await openEmptyStore(clock);

      await body({ store: subject.store, clock, open: (options) => subject.open(options) });

      await assertCountersAreRight(subject.store);
    });
  };
  const all = [
    enqueueing,
    finding,
    listing,
    promoting,
    claiming,
    finishing,
    controlling,
    importing,
    removing,
    queues,
    auditing,
    reserving,
    history,
    settings,
    templates,
    limits,
    locks,
    keys,
    dependencies,
    batches,
    gates,
    workers,
    rescuing,
    leasing,
    pools,
    maintenance,
    waking,
    concurrency,
  ];
  for (const describe of all) describe(test);
}

async function assertCountersAreRight({ jobs }: Store): Promise<void> {
  const counted = new Map<string, number>();
  for (const { queue, state } of await jobs.list({})) {
    const key = `${queue} ${state}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const kept = (await jobs.counts()).map(({ queue, state, n }): [string, number] => [`${queue} ${state}`, n]);
  assertEquals(new Map(kept.sort()), new Map([...counted].sort()), "counts() differs from counting list()");
}
