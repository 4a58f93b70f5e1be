import { assertEquals } from "@std/assert";
import { followOutput, type OutputChunk } from "../../../lib/operations/follow_output.ts";
import { outputBase, streamPath, writeCut } from "../../../lib/operations/output_files.ts";
import { readOutput } from "../../../lib/operations/read_output.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { aClaim, aJob, aReport } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";
import { waitFor } from "../../support/wait_for.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const NO_SIGNAL = new AbortController().signal;

function outOf(store: Store, seq: number, run: number): string {
  Deno.mkdirSync(`${store.folder}/logs`, { recursive: true });
  return streamPath(outputBase(store.folder, seq, run), "stdout");
}

function append(path: string, text: string): void {
  Deno.writeTextFileSync(path, text, { append: true });
}

/** Reads along in the background. */
function follow(store: Store, job: { seq: number; id: string }, signal: AbortSignal = NO_SIGNAL) {
  const chunks: OutputChunk[] = [];
  const ended = (async () => {
    for await (const chunk of followOutput(store, { job, signal })) chunks.push(chunk);
  })();
  const decoder = new TextDecoder();
  const text = (stream: string, run?: number) =>
    chunks.filter((chunk) => chunk.stream === stream && (run === undefined || chunk.run === run))
      .map((chunk) => decoder.decode(chunk.bytes)).join("");
  return { chunks, ended, text };
}

Deno.test("a follower sees what a run prints as it prints it", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const out = outOf(temp.store, job.seq, 1);
  const following = follow(temp.store, job);

  append(out, "one\n");
  await waitFor(() => following.text("stdout") === "one\n", "the first line");
  append(out, "two\n");
  await waitFor(() => following.text("stdout") === "one\ntwo\n", "the second line");
  await temp.store.jobs.finish([aReport(job, {
    output: { stdout: bytes("one\ntwo\n"), stderr: null, stdoutBytes: 8, stderrBytes: 0, droppedBytes: 0 },
  })]);
  Deno.removeSync(out);
  await following.ended;

  assertEquals(following.text("stdout"), "one\ntwo\n");
});

Deno.test("output that moved into the store is neither lost nor repeated", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const out = outOf(temp.store, job.seq, 1);
  append(out, "begin ");
  const following = follow(temp.store, job);
  await waitFor(() => following.text("stdout") === "begin ", "what is there");

  // The file is gone before the follower saw its end.
  await temp.store.jobs.finish([aReport(job, {
    output: {
      stdout: bytes("begin and end"),
      stderr: bytes("late"),
      stdoutBytes: 13,
      stderrBytes: 4,
      droppedBytes: 0,
    },
  })]);
  Deno.removeSync(out);
  await following.ended;

  assertEquals(following.text("stdout"), "begin and end");
  assertEquals(following.text("stderr"), "late");
});

Deno.test("a follower goes on with the next run of a retried job", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const job = await aJob(temp.store, { state: "failed" });
  append(outOf(temp.store, job.seq, 1), "first");
  const following = follow(temp.store, job);
  await waitFor(() => following.text("stdout", 1) === "first", "the first run");

  clock.advance(60_000);
  const [again] = await temp.store.jobs.claim(aClaim());
  append(outOf(temp.store, job.seq, 2), "second");
  await waitFor(() => following.text("stdout", 2) === "second", "the second run");
  await temp.store.jobs.finish([aReport(again!)]);
  await following.ended;

  assertEquals(following.chunks.map(({ run }) => run), [1, 2]);
});

Deno.test("an aborted follower ends while the job goes on", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const abort = new AbortController();
  const following = follow(temp.store, job, abort.signal);
  append(outOf(temp.store, job.seq, 1), "x");
  await waitFor(() => following.text("stdout") === "x", "something");

  abort.abort();
  await following.ended;

  assertEquals((await temp.store.jobs.find(job.id)).state, "processing");
});

Deno.test("bytes that a process left behind appends after the end do not belong to the run", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  append(outOf(temp.store, job.seq, 1), "mine LEAK");
  await temp.store.jobs.finish([aReport(job, {
    output: { stdout: bytes("mine"), stderr: null, stdoutBytes: 4, stderrBytes: 0, droppedBytes: 0 },
  })]);

  const output = await readOutput(temp.store, job, 1);

  assertEquals(new TextDecoder().decode(output.stdout), "mine");
});

Deno.test("of a run that nobody saw the end of, all that its file holds is shown", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  append(outOf(temp.store, job.seq, 1), "last words");
  await temp.store.jobs.finish([aReport(job, { result: { kind: "lost" } })]);

  const output = await readOutput(temp.store, job, 1);

  assertEquals(new TextDecoder().decode(output.stdout), "last words");
});

Deno.test("a reader jumps over what was cut out, and says how much that was", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const out = outOf(temp.store, job.seq, 1);
  append(out, "head" + "\0".repeat(90) + "tail..");
  writeCut(out, { head: 4, resume: 94, position: 94 });

  const chunks = [];
  for await (const chunk of followOutput(temp.store, { job, signal: NO_SIGNAL, isLive: false })) chunks.push(chunk);
  const output = await readOutput(temp.store, job, 1);

  assertEquals(chunks.map(({ dropped, bytes }) => [dropped, new TextDecoder().decode(bytes)]), [
    [0, "head"],
    [90, "tail.."],
  ]);
  assertEquals(new TextDecoder().decode(output.stdout), "head\n[queuectl: 90 bytes dropped]\ntail..");
});

Deno.test("a follower in the middle of a stream continues in the file as it was rewritten at the end", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const out = outOf(temp.store, job.seq, 1);
  append(out, "0123456789");
  const following = follow(temp.store, job);
  await waitFor(() => following.text("stdout") === "0123456789", "the first ten");

  // 20 bytes were printed; 0 to 3 and 12 to 19 are kept, the latter at position 40.
  writeCut(out, "changing");
  Deno.writeTextFileSync(out, "0123".padEnd(40, ".") + "cdefghij");
  writeCut(out, { head: 4, resume: 12, position: 40 });
  await temp.store.jobs.finish([aReport(job, {
    output: { stdout: bytes("cdefghij"), stderr: null, stdoutBytes: 20, stderrBytes: 0, droppedBytes: 8 },
  })]);
  await following.ended;

  assertEquals(following.text("stdout"), "0123456789cdefghij");
  assertEquals(following.chunks.reduce((sum, { dropped }) => sum + dropped, 0), 2);
});

Deno.test("a job that is removed ends its follower", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "completed" });
  const following = follow(temp.store, { seq: job.seq + 1, id: "gone" });

  await following.ended;

  assertEquals(following.chunks, []);
});
