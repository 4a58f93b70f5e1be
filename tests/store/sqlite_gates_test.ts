/** That closed gates cost no writes, counted by the database itself. @module */
import { assertEquals } from "@std/assert";
import { GateWatch } from "../../lib/worker/gate_watch.ts";
import { aClaim, aNewJob } from "../support/factories.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { execute, query } from "../support/sqlite_database.ts";
import { tempStore } from "../support/temp_store.ts";

const CLOSED = { isOpen: false, seen: "closed" } as const;
const FREE = 20;

const CROWDS: Readonly<Record<string, (i: number) => string>> = {
  "one expression": () => "file:/x",
  "each its own": (i) => `file:/x/${i}`,
};

for (const [name, gateOf] of Object.entries(CROWDS)) {
  Deno.test(`a claim beside closed gates changes one row, however long they stay closed (${name})`, async () => {
    const clock = new FakeClock();
    await using temp = await tempStore({ clock });
    const { store, path } = temp;
    const watch = new GateWatch({ store, clock, judge: () => CLOSED });
    await store.jobs.enqueue(Array.from({ length: 900 }, (_, i) => aNewJob({ when: gateOf(i) })));
    await store.jobs.claim(aClaim({ judgeGate: () => CLOSED }));
    await store.jobs.enqueue(Array.from({ length: FREE }, () => aNewJob()));
    execute(
      path,
      `create table changed (seq integer);
      create trigger count_changes after update on jobs begin insert into changed values (old.seq); end;`,
    );

    for (let i = 0; i < FREE; i++) {
      clock.advance(6_000);
      await watch.look();
      const jobs = await store.jobs.claim(aClaim({ judgeGate: watch.judge, openGates: watch.open() }));
      assertEquals(jobs.length, 1);
    }

    assertEquals(query(path, "select count(*) as n, min(seq) as first from changed"), [{ n: FREE, first: 901 }]);
  });
}
