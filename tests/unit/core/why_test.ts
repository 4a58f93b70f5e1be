import { assert, assertEquals } from "@std/assert";
import type { Job } from "../../../lib/core/job.ts";
import { why, WHY_KINDS, type WhyFacts } from "../../../lib/core/why.ts";
import { aStoredJob } from "../../support/factories.ts";
import { START } from "../../support/fake_clock.ts";

const WORKER = { id: "w1", slots: 2, busy: 0 };

interface Around extends Partial<Omit<WhyFacts, "job">> {
  readonly job?: Partial<Job>;
}

function explain({ job, ...facts }: Around) {
  return why({
    job: aStoredJob({ id: "j", ...job }),
    now: START,
    queue: { paused: false, concurrency: null },
    running: [],
    rateFreeAt: undefined,
    lockHolder: undefined,
    parents: [],
    workers: [WORKER],
    isUsualPoolElsewhere: false,
    ...facts,
  });
}

interface Case {
  readonly about: string;
  readonly around: Around;
  readonly kind: typeof WHY_KINDS[number];
  readonly sentence: string;
  readonly next: string;
  readonly by?: readonly string[];
  readonly until?: number;
}

const CASES: readonly Case[] = [
  {
    about: "a job that completed",
    around: { job: { state: "completed", reason: "exited with code 0" } },
    kind: "completed",
    sentence: "it has ended: exited with code 0",
    next: "queuectl output j",
  },
  {
    about: "a job that died",
    around: { job: { state: "dead", reason: "exited with code 7 on the only attempt" } },
    kind: "dead",
    sentence: "it has ended: exited with code 7 on the only attempt",
    next: "queuectl output j",
  },
  {
    about: "a job that was cancelled",
    around: { job: { state: "cancelled", reason: "cancelled by a person" } },
    kind: "cancelled",
    sentence: "it has ended: cancelled by a person",
    next: "queuectl retry j",
  },
  {
    about: "a job that expired",
    around: { job: { state: "cancelled", reason: "expired" } },
    kind: "expired",
    sentence: "it has ended: expired",
    next: "queuectl retry j",
  },
  {
    about: "a job that waited past its time while nobody was there to cancel it",
    around: { job: { expires_at: START }, workers: [] },
    kind: "expired",
    sentence: "it expired at 2026-11-30T11:00:00.000Z, and whoever works next cancels it",
    next: "queuectl edit j --expires 1h",
  },
  {
    about: "a job that runs",
    around: { job: { state: "processing", worker_id: "w1" } },
    kind: "running",
    sentence: "worker w1 runs it",
    next: "queuectl logs -f j",
  },
  {
    about: "a job that is being cancelled",
    around: { job: { state: "processing", worker_id: "w1", cancel_requested_at: START } },
    kind: "running",
    sentence: "worker w1 is ending it",
    next: "queuectl logs -f j",
  },
  {
    about: "a job whose parents are not finished",
    around: {
      job: { state: "blocked" },
      parents: [
        { id: "a", isSatisfied: true, state: "completed" },
        { id: "b", isSatisfied: false, state: "processing" },
        { id: "c", isSatisfied: false, state: "pending" },
      ],
    },
    kind: "parent",
    sentence: "it waits for b (processing) and c (pending)",
    next: "queuectl why b",
    by: ["b", "c"],
  },
  {
    about: "a job whose time has not come",
    around: { job: { state: "scheduled", run_at: START + 90_000 } },
    kind: "run_at",
    sentence: "its time is 2026-11-30T11:01:30.000Z, in 1m 30s",
    next: "queuectl retry j",
    until: START + 90_000,
  },
  {
    about: "a job that waits for its retry",
    around: { job: { state: "failed", run_at: START + 4_000, reason: "exited with code 1; retry 2 of 3 in 4s" } },
    kind: "backoff",
    sentence:
      "it failed and is tried again at 2026-11-30T11:00:04.000Z, in 4s (exited with code 1; retry 2 of 3 in 4s)",
    next: "queuectl retry j",
    until: START + 4_000,
  },
  {
    about: "a job of a paused queue",
    around: { job: { queue: "mail" }, queue: { paused: true, concurrency: null } },
    kind: "paused",
    sentence: 'queue "mail" is paused',
    next: "queuectl queue resume mail",
  },
  {
    about: "a job of a queue at its limit",
    around: { job: { queue: "api" }, queue: { paused: false, concurrency: 2 }, running: ["a", "b"] },
    kind: "limit",
    sentence: 'queue "api" runs 2 at once, and a and b do',
    next: "queuectl queue set api --concurrency 3",
    by: ["a", "b"],
  },
  {
    about: "a job of a queue that starts no more for the moment",
    around: { job: { queue: "api" }, rateFreeAt: START + 500 },
    kind: "rate",
    sentence: 'the rate of queue "api" allows the next start at 2026-11-30T11:00:00.500Z, in 500ms',
    next: "queuectl queue list",
    until: START + 500,
  },
  {
    about: "a job whose lock is held",
    around: { job: { lock: "disk" }, lockHolder: "x" },
    kind: "lock",
    sentence: 'job x holds its lock "disk"',
    next: "queuectl why x",
    by: ["x"],
  },
  {
    about: "a job whose gate is closed",
    around: { job: { parked: "gate", when: "load<4", reason: "waits for its gate: load is 7.5, not below 4" } },
    kind: "gate",
    sentence: "waits for its gate: load is 7.5, not below 4",
    next: "queuectl show j",
  },
  {
    about: "a job that is reserved",
    around: { job: { parked: "run", reserved_for: "w9" } },
    kind: "reserved",
    sentence: "it is for worker w9, which `queuectl run` started for it",
    next: "queuectl worker status",
  },
  {
    about: "a job whose queue nobody serves",
    around: { job: { queue: "mail" }, workers: [] },
    kind: "no_worker",
    sentence: 'no live worker serves queue "mail"',
    next: "queuectl worker start",
  },
  {
    about: "a job that the workers of the usual pool do not serve",
    around: { job: { queue: "mail" }, workers: [], isUsualPoolElsewhere: true },
    kind: "no_worker",
    sentence: 'no live worker serves queue "mail"',
    next: "queuectl worker start --pool mail --queue mail",
  },
  {
    about: "a job of the usual queue that the workers of the usual pool do not serve",
    around: { workers: [], isUsualPoolElsewhere: true },
    kind: "no_worker",
    sentence: 'no live worker serves queue "default"',
    next: "queuectl worker start --pool default-queue --queue default",
  },
  {
    about: "a due job that nobody is there to promote",
    around: { job: { state: "scheduled", run_at: START - 1 }, workers: [] },
    kind: "no_worker",
    sentence: 'no live worker serves queue "default"',
    next: "queuectl worker start",
  },
  {
    about: "a job that crashed its worker",
    around: { job: { crashes: 2, parked: "alone" }, workers: [{ ...WORKER, busy: 1 }] },
    kind: "alone",
    sentence: "its worker died 2 times while running it, so that it waits for a worker with nothing else to do",
    next: "queuectl worker status",
  },
  {
    about: "a job whose workers are all busy",
    around: { workers: [{ ...WORKER, busy: 2 }, { id: "w2", slots: 1, busy: 1 }] },
    kind: "busy",
    sentence: "all 3 slots of its workers are taken",
    next: "queuectl worker status",
  },
  {
    about: "a job that nothing holds back",
    around: {},
    kind: "ready",
    sentence: "nothing holds it back; a free worker is about to take it",
    next: "queuectl show j",
  },
];

for (const { about, around, kind, sentence, next, by = [], until = null } of CASES) {
  Deno.test(`why ${about}: ${kind}`, () => {
    assertEquals(explain(around), { kind, sentence, by, until, next });
  });
}

Deno.test("every reason has a case", () => {
  assertEquals(WHY_KINDS.filter((kind) => !CASES.some((one) => one.kind === kind)), []);
});

Deno.test("a time that has not come outweighs a paused queue, and that a full one", () => {
  const queue = { paused: true, concurrency: 1 };

  assertEquals(explain({ job: { state: "scheduled", run_at: START + 1 }, queue, running: ["a"] }).kind, "run_at");
  assertEquals(explain({ queue, running: ["a"] }).kind, "paused");
});

Deno.test("a job that crashed its worker is taken by an idle worker", () => {
  assertEquals(explain({ job: { crashes: 1, parked: "alone" } }).kind, "ready");
});

Deno.test("many holders are counted, and all of them named in by", () => {
  const running = ["a", "b", "c", "d", "e", "f", "g"];
  const { sentence, by } = explain({ queue: { paused: false, concurrency: 7 }, running });

  assert(sentence.endsWith("and a, b, c, d, e and 2 more do"), sentence);
  assertEquals(by, running);
});
