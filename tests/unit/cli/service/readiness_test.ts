import { assertEquals } from "@std/assert";
import { tellAbout } from "../../../../lib/cli/service/readiness.ts";
import type { Turn } from "../../../../lib/worker/supervisor.ts";

const LOOKED = { kind: "looked", count: 2, working: 2, workers: 2, jobs: 0, isStopping: false } as const;

/** A service manager that notes what it gets, unless it is deaf. */
function fakeManager(options: { watchdogMs?: number } = {}) {
  const manager = {
    heard: [] as string[],
    isDeaf: false,
    now: 0,
    watchdogMs: options.watchdogMs,
    notify: (message: string) => !manager.isDeaf && manager.heard.push(message) > 0,
    close() {},
  };
  const listener = tellAbout(manager, { monotonic: () => manager.now });
  return { manager, turn: (turn: Turn) => listener.turned(turn), listener };
}

Deno.test("a service is ready when every worker that was asked for takes jobs, and not before", () => {
  const { manager, turn } = fakeManager();

  turn({ ...LOOKED, working: 0, workers: 0 });
  turn({ kind: "failed", reason: "the database\nis locked" });
  turn({ ...LOOKED, working: 1, workers: 2 });
  assertEquals(manager.heard, [
    "STATUS=0 of 2 workers, 0 jobs running",
    "STATUS=Cannot look after the workers: the database is locked",
    "STATUS=1 of 2 workers, 1 finishing, 0 jobs running",
  ]);
  turn({ ...LOOKED, jobs: 1 });

  assertEquals(manager.heard.slice(3), ["READY=1", "STATUS=2 of 2 workers, 1 job running"]);
});

Deno.test("the same thing is said once", () => {
  const { manager, turn } = fakeManager();

  for (let i = 0; i < 3; i++) turn(LOOKED);
  for (let i = 0; i < 3; i++) turn({ ...LOOKED, isStopping: true, workers: 1, jobs: 1 });

  assertEquals(manager.heard, [
    "READY=1",
    "STATUS=2 of 2 workers, 0 jobs running",
    "STOPPING=1",
    "STATUS=Stopping: 1 worker left, 1 job running",
  ]);
});

Deno.test("a message that did not get through is sent again", () => {
  const { manager, turn } = fakeManager({ watchdogMs: 400 });
  manager.isDeaf = true;
  turn(LOOKED);
  manager.isDeaf = false;

  turn(LOOKED);

  assertEquals(manager.heard, ["READY=1", "STATUS=2 of 2 workers, 0 jobs running", "WATCHDOG=1"]);
});

Deno.test("signs of life come four times in an interval, also from turns that fail", () => {
  const { manager, turn, listener } = fakeManager({ watchdogMs: 400 });
  assertEquals(listener.everyMs, 100);

  for (; manager.now < 1_000; manager.now += 50) turn({ kind: "failed", reason: "locked" });

  assertEquals(manager.heard.filter((message) => message === "WATCHDOG=1").length, 10);
});

Deno.test("a manager that does not watch hears no signs of life, and turns take their time", () => {
  const { manager, turn, listener } = fakeManager();
  turn(LOOKED);

  assertEquals(listener.everyMs, Infinity);
  assertEquals(manager.heard.includes("WATCHDOG=1"), false);
});
