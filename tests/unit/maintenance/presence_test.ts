/** Who is still there, and who is not. @module */
import { assertEquals } from "@std/assert";
import { ownIdentity } from "../../../lib/host/process_identity.ts";
import { takeWorkerLock } from "../../../lib/host/worker_lock.ts";
import { type Party, type Presence, PresenceWatch } from "../../../lib/maintenance/presence.ts";
import { aHolder } from "../../support/factories.ts";
import { lockHolder } from "../../support/lock_holder.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempDirectory } from "../../support/temp_store.ts";

const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;

/** A process elsewhere: only its beats tell. */
function remote(beat: number): Party {
  return { ...aHolder({ id: "far" }), beat };
}

interface Watching {
  readonly clock: FakeClock;
  readonly runFolder: string;
  look(party: Party): Presence | undefined;
  /** Looks every second for a while; the last answer. */
  lookFor(ms: number, party: () => Party): Presence | undefined;
}

async function watching(body: (watching: Watching) => Promise<void> | void): Promise<void> {
  await using temp = await tempDirectory();
  const clock = new FakeClock();
  const watch = new PresenceWatch(clock, temp.path);
  const look = (party: Party) => watch.look([party], { leaseMs: LEASE_MS }).get(party.id);
  await body({
    clock,
    runFolder: temp.path,
    look,
    lookFor(ms, party) {
      let presence = look(party());
      for (let passed = 0; passed < ms; passed += 1_000) {
        clock.advance(1_000);
        presence = look(party());
      }
      return presence;
    },
  });
}

Deno.test("a process elsewhere is gone when its counter stood still for a lease, not before", () =>
  watching(({ lookFor }) => {
    assertEquals(lookFor(LEASE_MS - 1_000, () => remote(7))?.kind, "here");
    assertEquals(lookFor(1_000, () => remote(7)), { kind: "gone", lock: undefined, how: "silence" });
  }));

Deno.test("a process elsewhere that beats within the lease is here for ever", () =>
  watching(({ lookFor }) => {
    for (let beat = 0; beat < 5; beat++) assertEquals(lookFor(20_000, () => remote(beat))?.kind, "here");
  }));

Deno.test("a clock set forward or back by an hour makes nobody gone, and nobody immortal", () =>
  watching(({ clock, lookFor }) => {
    lookFor(5_000, () => remote(7));
    clock.set(clock.now() + HOUR_MS);
    assertEquals(lookFor(5_000, () => remote(7))?.kind, "here");
    clock.set(clock.now() - 2 * HOUR_MS);
    assertEquals(lookFor(15_000, () => remote(7))?.kind, "here");

    assertEquals(lookFor(5_000, () => remote(7))?.kind, "gone");
  }));

Deno.test("an observer that did not look for a while begins to count anew", () =>
  watching(({ clock, look, lookFor }) => {
    lookFor(29_000, () => remote(7));
    // Suspended, stopped, or waiting for a database that somebody had locked: the others could not beat either.
    clock.advance(20_000);

    assertEquals(look(remote(7))?.kind, "here");
    assertEquals(lookFor(LEASE_MS - 1_000, () => remote(7))?.kind, "here");
    assertEquals(lookFor(1_000, () => remote(7))?.kind, "gone");
  }));

Deno.test("a process of this host is gone at once when its lock is free", () =>
  watching(({ look, runFolder }) => {
    const party = { ...ownIdentity(), id: "w1", pid: 2 ** 22 + 1, process_start: "1", beat: 0 };
    const lock = takeWorkerLock(runFolder, "w1");
    lock.record(17, 4_321);
    assertEquals(look(party)?.kind, "here");

    // As the kernel does when the process dies: the files stay, the lock is gone.
    Deno.copyFileSync(`${runFolder}/worker-w1.groups`, `${runFolder}/copy`);
    lock.release();
    Deno.renameSync(`${runFolder}/copy`, `${runFolder}/worker-w1.groups`);
    Deno.writeTextFileSync(`${runFolder}/worker-w1.lock`, "");

    const presence = look(party);
    assertEquals(presence?.kind, "gone");
    if (presence?.kind !== "gone") return;
    assertEquals(presence.lock?.groups, [{ claim: 17, pgid: 4_321, processStart: "0" }]);
    presence.lock?.release();
  }));

Deno.test("a process of this host without lock file and without process is gone", () =>
  watching(({ look }) => {
    const party = { ...ownIdentity(), id: "w1", pid: 2 ** 22 + 1, process_start: "1", beat: 0 };

    assertEquals(look(party), { kind: "gone", lock: undefined, how: "lock" });
  }));

Deno.test("a process of this host that lives and is silent for a lease hangs", () =>
  watching(async ({ lookFor, runFolder }) => {
    const child = await lockHolder(runFolder, "w1");
    try {
      const { processStart } = await import("../../../lib/host/process_identity.ts");
      const party = { ...ownIdentity(), id: "w1", pid: child.pid, process_start: processStart(child.pid), beat: 3 };

      assertEquals(lookFor(LEASE_MS - 1_000, () => party)?.kind, "here");
      assertEquals(lookFor(1_000, () => party)?.kind, "hangs");
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  }));

Deno.test("a process without a lock in this folder does not hang: it may be at work on the original of a copy", () =>
  watching(async ({ lookFor }) => {
    const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
    try {
      const { processStart } = await import("../../../lib/host/process_identity.ts");
      const party = { ...ownIdentity(), id: "w1", pid: child.pid, process_start: processStart(child.pid), beat: 3 };

      assertEquals(lookFor(LEASE_MS - 1_000, () => party)?.kind, "here");
      assertEquals(lookFor(1_000, () => party), { kind: "gone", lock: undefined, how: "silence" });
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  }));

Deno.test("a process whose lock another one holds does not hang", () =>
  watching(async ({ lookFor, runFolder }) => {
    const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
    const lock = takeWorkerLock(runFolder, "w1");
    try {
      const { processStart } = await import("../../../lib/host/process_identity.ts");
      const party = { ...ownIdentity(), id: "w1", pid: child.pid, process_start: processStart(child.pid), beat: 3 };

      assertEquals(lookFor(2 * LEASE_MS, () => party)?.kind, "here");
    } finally {
      lock.release();
      child.kill("SIGKILL");
      await child.status;
    }
  }));

Deno.test("this very process is here, however silent", () =>
  watching(({ lookFor, runFolder }) => {
    const lock = takeWorkerLock(runFolder, "me");
    const party = { ...ownIdentity(), id: "me", beat: 3 };

    assertEquals(lookFor(2 * LEASE_MS, () => party)?.kind, "here");
    lock.release();
  }));

Deno.test("a dead worker that had the process number of this one is gone all the same", () =>
  watching(({ look }) => {
    const party = { ...ownIdentity(), id: "w1", process_start: "1", beat: 3 };

    assertEquals(look(party)?.kind, "gone");
  }));
