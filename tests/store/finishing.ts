/** finish(): what each end of a run makes of its job, and what is kept of it. @module */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { NO_EXIT_RULES } from "../../lib/core/exit_rules.ts";
import type { Job } from "../../lib/core/job.ts";
import type { RunResult } from "../../lib/core/run_result.ts";
import type { FinishedRun, RunReport, Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport, type JobWishes } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const EXIT_1: RunResult = { kind: "exited", code: 1 };

export function finishing(test: DescribeCase): void {
  test("a successful run completes its job", async ({ store, clock }) => {
    const { job, told, before } = await finished(store, { result: { kind: "exited", code: 0 } });

    const finishedAt = clock.now() + 1_000;
    assertEquals(told, {
      seq: job.seq,
      outcome: "succeeded",
      state: "completed",
      reason: "exited with code 0",
      runAt: null,
    });
    assertEquals(job, {
      ...before,
      state: "completed",
      exit_code: 0,
      reason: "exited with code 0",
      duration_ms: 1_000,
      finished_at: finishedAt,
      updated_at: finishedAt,
    });
  });

  test("a finished run says everything that was seen of it", async ({ store, clock }) => {
    const output = { stdout: null, stderr: null, stdoutBytes: 5, stderrBytes: 7, droppedBytes: 2 };
    const result: RunResult = { kind: "signalled", signal: "SIGKILL", code: 137 };

    const { job } = await finished(store, { result, output, durationMs: 900 }, { workerId: "w1" });

    assertEquals(await store.jobs.runs(job.seq), [{
      run: 1,
      attempt: 1,
      claim: job.claim,
      outcome: "killed",
      started_at: clock.now(),
      finished_at: clock.now() + 1_000,
      duration_ms: 900,
      exit_code: 137,
      signal: "SIGKILL",
      reason: "killed by SIGKILL; retry 1 of 3 in 2s",
      worker_id: "w1",
      stdout_bytes: 5,
      stderr_bytes: 7,
      dropped_bytes: 2,
    }]);
  });

  test("a failed run with attempts left is retried after its backoff, counted from its end", async ({ store, clock }) => {
    const { job, told } = await finished(store, { result: EXIT_1, finishedAt: clock.now() + 500 });

    assertEquals([told.state, told.outcome, told.runAt], ["failed", "failed", clock.now() + 500 + 2_000]);
    assertEquals([job.state, job.run_at, job.finished_at, job.exit_code], ["failed", told.runAt, null, 1]);
    assertEquals(job.reason, told.reason);
  });

  test("a job with R retries has R + 1 attempts, each later than the one before, and is dead then", async ({ store, clock }) => {
    const { id, seq } = await aJob(store, { max_retries: 2 });

    const delays: (number | null)[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [job] = await store.jobs.claim(aClaim());
      assertEquals([job?.id, job?.attempts], [id, attempt]);
      const [told] = await store.jobs.finish([aReport(job!, { result: EXIT_1, finishedAt: clock.now() })]);
      delays.push(told!.runAt === null ? null : told!.runAt - clock.now());
      clock.set(told!.runAt ?? clock.now());
    }

    assertEquals(delays, [2_000, 4_000, null]);
    const job = await store.jobs.find(id);
    assertEquals([job.state, job.attempts, job.run_at, job.finished_at], ["dead", 3, null, clock.now()]);
    assertStringIncludes(job.reason!, "last of 3 attempts");
    assertEquals((await store.jobs.runs(seq)).map((run) => run.outcome), ["failed", "failed", "failed"]);
    assertEquals(await store.jobs.claim(aClaim()), []);
  });

  test("a job without retries is dead after its only attempt", async ({ store }) => {
    const { job } = await finished(store, { result: EXIT_1 }, { max_retries: 0 });

    assertEquals(job.state, "dead");
  });

  test("the jitter of a retry follows the random number given", async ({ store, clock }) => {
    const backoff = { strategy: "fixed", base: 2, delay: 10, max: 60, jitter: 0.5 } as const;

    const early = await finished(store, { result: EXIT_1, finishedAt: clock.now(), random: 0 }, { backoff });
    const late = await finished(store, { result: EXIT_1, finishedAt: clock.now(), random: 1 }, { backoff });

    assertEquals(early.job.run_at, clock.now() + 5_000);
    assertEquals(late.job.run_at, clock.now() + 15_000);
  });

  test("a run that timed out is retried and recorded as such", async ({ store }) => {
    const { job, told } = await finished(store, { result: { kind: "timed_out", timeoutMs: 5_000, signal: "SIGTERM" } });

    assertEquals([told.outcome, job.state, job.signal], ["timed_out", "failed", "SIGTERM"]);
    assertMatch(job.reason!, /^timed out after 5s/);
  });

  test("a command that could not be started is retried and keeps the shell's exit code", async ({ store }) => {
    const { job, told } = await finished(store, {
      result: { kind: "not_started", code: 127, reason: "not found: nope" },
    });

    assertEquals([told.outcome, job.state, job.exit_code], ["not_started", "failed", 127]);
  });

  test("the exit rules of the job are followed", async ({ store, clock }) => {
    const exit_rules = { ...NO_EXIT_RULES, ok_on: "0,3", fail_on: "64", snooze_on: "75:10m" };
    const ended = async (code: number) => {
      const { job } = await finished(store, { result: { kind: "exited", code }, finishedAt: clock.now() }, {
        exit_rules,
      });
      return job;
    };

    assertEquals((await ended(3)).state, "completed");
    assertEquals((await ended(64)).state, "dead");
    assertEquals((await ended(1)).state, "failed");
    const snoozed = await ended(75);
    assertEquals(
      [snoozed.state, snoozed.run_at, snoozed.attempts, snoozed.snoozes],
      ["scheduled", clock.now() + 600_000, 0, 1],
    );
  });

  test("a snoozed job runs again at its time, as the same attempt", async ({ store, clock }) => {
    const exit_rules = { ...NO_EXIT_RULES, snooze_on: "75:10m" };
    const { job, told } = await finished(store, { result: { kind: "exited", code: 75 } }, { exit_rules });
    assertEquals(told.outcome, "snoozed");
    clock.set(job.run_at!);

    const [again] = await store.jobs.claim(aClaim());

    assertEquals([again?.id, again?.attempts, again?.run_count, again?.snoozes], [job.id, 1, 2, 1]);
  });

  test("a released job is pending at once, with its attempt given back", async ({ store }) => {
    const { job, told } = await finished(store, { result: { kind: "interrupted", signal: "SIGTERM" } });

    assertEquals(told.outcome, "interrupted");
    assertEquals(
      [job.state, job.attempts, job.run_count, job.crashes, job.worker_id, job.finished_at],
      ["pending", 0, 1, 0, null, null],
    );
    assertEquals((await store.jobs.runs(job.seq)).map((run) => run.outcome), ["interrupted"]);
    assertEquals((await store.jobs.claim(aClaim({ isIdle: false }))).map(({ id }) => id), [job.id]);
  });

  test("a lost job is pending at once, with its attempt given back and the crash counted", async ({ store }) => {
    const { job, told } = await finished(store, { result: { kind: "lost" } });

    assertEquals(told.outcome, "lost");
    assertEquals(
      [job.state, job.attempts, job.run_count, job.crashes, job.worker_id, job.exit_code],
      ["pending", 0, 1, 1, null, null],
    );
    assertMatch(job.reason!, /worker died/);
  });

  test("a job that loses max_crashes workers in a row is dead and says why", async ({ store }) => {
    const { id } = await aJob(store);

    const states: unknown[] = [];
    for (let crash = 1; crash <= 3; crash++) {
      const [job] = await store.jobs.claim(aClaim());
      const [told] = await store.jobs.finish([aReport(job!, { result: { kind: "lost" }, maxCrashes: 3 })]);
      states.push(told?.state);
    }

    assertEquals(states, ["pending", "pending", "dead"]);
    const job = await store.jobs.find(id);
    assertEquals([job.crashes, job.attempts, job.run_count], [3, 0, 3]);
    assertStringIncludes(job.reason!, "worker died 3 times");
  });

  test("crashes are counted in a row: a run that ends by itself begins anew", async ({ store, clock }) => {
    const { id } = await aJob(store, { max_retries: 10 });
    const results: RunResult[] = [{ kind: "lost" }, { kind: "lost" }, EXIT_1, { kind: "lost" }];

    for (const result of results) {
      const [job] = await store.jobs.claim(aClaim());
      await store.jobs.finish([aReport(job!, { result, finishedAt: clock.now() })]);
      clock.advance(60_000);
    }

    const job = await store.jobs.find(id);
    assertEquals([job.state, job.crashes], ["pending", 1]);
  });

  test("a cancelled run leaves its job cancelled, with attempts left or not", async ({ store }) => {
    const { job, told } = await finished(store, { result: { kind: "cancelled", signal: "SIGTERM" } });

    assertEquals([told.outcome, told.state], ["cancelled", "cancelled"]);
    assertEquals([job.state, job.signal, job.run_at], ["cancelled", "SIGTERM", null]);
  });

  test("finish() judges several runs in one call, in order", async ({ store }) => {
    await store.jobs.enqueue(["a", "b", "c"].map((id) => aNewJob({ id, max_retries: 0 })));
    const [a, b, c] = await store.jobs.claim(aClaim({ slots: 3 }));

    const told = await store.jobs.finish([
      aReport(a!),
      aReport(b!, { result: EXIT_1 }),
      aReport(c!, { result: { kind: "interrupted" } }),
    ]);

    assertEquals(told.map(({ seq, state }) => [seq, state]), [
      [a!.seq, "completed"],
      [b!.seq, "dead"],
      [c!.seq, "pending"],
    ]);
    assertEquals(await store.jobs.finish([]), []);
  });

  test("a result that comes after the claim was taken away changes nothing but its own run", async ({ store }) => {
    const first = await aJob(store, { state: "processing", workerId: "slow" });
    await store.jobs.finish([aReport(first, { result: { kind: "lost" } })]);
    const [second] = await store.jobs.claim(aClaim({ workerId: "rescuer" }));

    const [told] = await store.jobs.finish([aReport(first, { result: { kind: "exited", code: 0 } })]);

    assertEquals([told?.outcome, told?.state, told?.runAt], ["late", undefined, null]);
    assertEquals(await store.jobs.find(first.id), second!);
    const runs = await store.jobs.runs(first.seq);
    assertEquals(runs.map(({ run, outcome, exit_code }) => [run, outcome, exit_code]), [[1, "late", 0], [
      2,
      null,
      null,
    ]]);
    assertStringIncludes(runs[0]!.reason!, "exited with code 0");
  });

  test("a late result does not wake up a job that is pending again, or done", async ({ store }) => {
    const job = await aJob(store, { state: "processing" });
    await store.jobs.finish([aReport(job, { result: { kind: "lost" } })]);
    const pending = await store.jobs.find(job.id);

    await store.jobs.finish([aReport(job)]);
    assertEquals(await store.jobs.find(job.id), pending);

    const [again] = await store.jobs.claim(aClaim());
    await store.jobs.finish([aReport(again!)]);
    const done = await store.jobs.find(job.id);
    await store.jobs.finish([aReport(job, { result: EXIT_1 })]);
    assertEquals(await store.jobs.find(job.id), done);
    assertEquals((await store.jobs.runs(job.seq)).map((run) => run.outcome), ["late", "succeeded"]);
  });

  test("the output of a late run is kept with that run", async ({ store }) => {
    const job = await aJob(store, { state: "processing" });
    await store.jobs.finish([aReport(job, { result: { kind: "lost" } })]);
    const [again] = await store.jobs.claim(aClaim());
    await store.jobs.finish([aReport(again!, { output: anOutput("second") })]);

    await store.jobs.finish([aReport(job, { output: anOutput("first") })]);

    assertEquals(await outputText(store, job.seq, 1), "first");
    assertEquals(await outputText(store, job.seq, 2), "second");
  });

  test("a result that is reported twice counts once and stays as it was", async ({ store }) => {
    const { job } = await finished(store, { output: anOutput("kept") });
    const runs = await store.jobs.runs(job.seq);

    const [told] = await store.jobs.finish([aReport(job, { result: EXIT_1, output: anOutput("other") })]);

    assertEquals(told?.state, undefined);
    assertEquals(await store.jobs.find(job.id), job);
    assertEquals(await store.jobs.runs(job.seq), runs);
    assertEquals(await outputText(store, job.seq, 1), "kept");
  });

  test("a result with a wrong token, or for a job that is not there, changes nothing", async ({ store }) => {
    const job = await aJob(store, { state: "processing" });

    const told = await store.jobs.finish([
      aReport(job, { claim: job.claim + 1 }),
      aReport(job, { claim: job.claim - 1 }),
      aReport(job, { seq: job.seq + 1_000 }),
    ]);

    assertEquals(told.map(({ outcome, state }) => [outcome, state]), Array(3).fill(["late", undefined]));
    assertEquals(await store.jobs.find(job.id), job);
    assertEquals((await store.jobs.runs(job.seq)).map((run) => run.outcome), [null]);
  });

  test("output comes back byte for byte, run by run", async ({ store, clock }) => {
    const stdout = Uint8Array.from({ length: 65_536 }, (_, i) => i * 7);
    const stderr = new Uint8Array([0, 255, 10, 0]);
    const output = { stdout, stderr, stdoutBytes: 65_536, stderrBytes: 4, droppedBytes: 0 };
    const { job } = await finished(store, { result: EXIT_1, output, finishedAt: clock.now() });
    clock.advance(2_000);
    const [again] = await store.jobs.claim(aClaim());
    await store.jobs.finish([aReport(again!, { output: anOutput("second run") })]);

    assertEquals(await store.jobs.output(job.seq, 1), { stdout, stderr });
    assertEquals(await outputText(store, job.seq, 2), "second run");
  });

  test("output() tells a stream without a byte from one that is not kept", async ({ store }) => {
    const output = { stdout: new Uint8Array(), stderr: null, stdoutBytes: 0, stderrBytes: 9, droppedBytes: 0 };

    const { job } = await finished(store, { output });

    assertEquals(await store.jobs.output(job.seq, 1), { stdout: new Uint8Array(), stderr: null });
  });

  test("output() is undefined where nothing was kept", async ({ store }) => {
    const { job: silent } = await finished(store, {});
    const { job: unkept } = await finished(store, {
      output: { stdout: null, stderr: null, stdoutBytes: 3, stderrBytes: 0, droppedBytes: 0 },
    });

    assertEquals(await store.jobs.output(silent.seq, 1), undefined);
    assertEquals(await store.jobs.output(unkept.seq, 1), undefined);
    assertEquals(await store.jobs.output(silent.seq, 2), undefined);
    assertEquals(await store.jobs.output(999_999, 1), undefined);
  });
}

interface Finished {
  readonly before: Job;
  readonly job: Job;
  readonly told: FinishedRun;
}

/** Enqueues a job, claims it and reports how its run ended. */
async function finished(store: Store, report: Partial<RunReport>, wishes: JobWishes = {}): Promise<Finished> {
  const before = await aJob(store, { ...wishes, state: "processing" });
  const [told] = await store.jobs.finish([aReport(before, report)]);
  return { before, told: told!, job: await store.jobs.find(before.id) };
}

function anOutput(text: string): NonNullable<RunReport["output"]> {
  const stdout = new TextEncoder().encode(text);
  return { stdout, stderr: null, stdoutBytes: stdout.length, stderrBytes: 0, droppedBytes: 0 };
}

async function outputText(store: Store, seq: number, run: number): Promise<string> {
  return new TextDecoder().decode((await store.jobs.output(seq, run))?.stdout ?? undefined);
}
