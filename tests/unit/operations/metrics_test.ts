import { assertEquals, assertThrows } from "@std/assert";
import { familiesOf, type Family, prometheusText, readMetrics } from "../../../lib/operations/metrics.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { aBeat, aJob, aReport, aWorker } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { type ParsedFamily, parsePrometheus } from "../../support/prometheus.ts";
import { tempStore } from "../../support/temp_store.ts";

async function scraped(store: Store, now: number): Promise<Map<string, ParsedFamily>> {
  return parsePrometheus(prometheusText(familiesOf(await readMetrics(store, { now, version: '1.2.3-"x"' }))));
}

/** The value of the one sample with these labels. */
function valueOf(families: Map<string, ParsedFamily>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
  const found = (family?.samples ?? []).filter((sample) =>
    sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text)
  );
  assertEquals(found.length, 1, `${name} ${JSON.stringify(labels)}`);
  return found[0]!.value;
}

Deno.test("metrics of a store that nobody has used are valid", async () => {
  await using temp = await tempStore();

  const families = await scraped(temp.store, 0);

  assertEquals(valueOf(families, "queuectl_jobs_enqueued_total"), 0);
  assertEquals(valueOf(families, "queuectl_build_info", { version: '1.2.3-"x"' }), 1);
});

Deno.test("metrics tell jobs by queue and state, runs by outcome, and how long they took", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { store } = temp;
  await aJob(store, { queue: "mail", state: "completed" });
  const slow = await aJob(store, { queue: "mail", state: "processing", max_retries: 0 });
  await store.jobs.finish([aReport(slow, { result: { kind: "timed_out" }, durationMs: 90_000 })]);
  await aJob(store, { queue: "mail" });
  await store.queues.setPaused("mail", true);
  clock.advance(7_000);

  const families = await scraped(store, clock.now());

  const queue = "mail";
  assertEquals(valueOf(families, "queuectl_jobs", { queue, state: "pending" }), 1);
  assertEquals(valueOf(families, "queuectl_jobs", { queue, state: "dead" }), 1);
  assertEquals(valueOf(families, "queuectl_oldest_pending_seconds", { queue }), 7);
  assertEquals(valueOf(families, "queuectl_queue_paused", { queue }), 1);
  assertEquals(valueOf(families, "queuectl_runs_total", { queue, outcome: "succeeded" }), 1);
  assertEquals(valueOf(families, "queuectl_runs_total", { queue, outcome: "timed_out" }), 1);
  assertEquals(valueOf(families, "queuectl_jobs_dead_total", { queue }), 1);
  assertEquals(valueOf(families, "queuectl_run_duration_seconds_sum", { queue }), 91);
  assertEquals(valueOf(families, "queuectl_run_duration_seconds_count", { queue }), 2);
  assertEquals(valueOf(families, "queuectl_run_duration_seconds_bucket", { queue, le: "1.024" }), 1);
  assertEquals(valueOf(families, "queuectl_run_duration_seconds_bucket", { queue, le: "131.072" }), 2);
});

Deno.test("counters outlive the jobs and the queue that they are of", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await aJob(store, { queue: "gone", state: "completed" });
  await store.jobs.remove({}, 10);
  await store.queues.remove("gone");

  const families = await scraped(store, 0);

  assertEquals(valueOf(families, "queuectl_runs_total", { queue: "gone", outcome: "succeeded" }), 1);
  assertEquals(valueOf(families, "queuectl_jobs_enqueued_total"), 1);
});

Deno.test("metrics tell workers, their slots and how many are busy", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { store } = temp;
  await store.workers.register(aWorker({ id: "w1", slots: 3 }));
  await aJob(store, { state: "processing", workerId: "w1" });
  clock.advance(10_000);
  await store.workers.beat("w1", aBeat({ state: "draining" }));

  const families = await scraped(store, clock.now());

  assertEquals(valueOf(families, "queuectl_workers", { state: "draining" }), 1);
  assertEquals(valueOf(families, "queuectl_workers", { state: "running" }), 0);
  assertEquals(valueOf(families, "queuectl_worker_slots"), 3);
  assertEquals(valueOf(families, "queuectl_worker_slots_busy"), 1);
  assertEquals(valueOf(families, "queuectl_worker_slot_seconds_total"), 30);
});

Deno.test("labels and help are escaped, so that any text comes back as it was", () => {
  const odd = 'back\\slash "quoted"\nline\\n';
  const family: Family = {
    name: "x_jobs",
    help: "One\\two\nthree.",
    type: "gauge",
    samples: [{ labels: { queue: odd }, value: 1 }],
  };

  const parsed = parsePrometheus(prometheusText([family])).get("x_jobs");

  assertEquals(parsed?.samples[0]?.labels.queue, odd);
  assertEquals(parsed?.help, "One\\\\two\\nthree.");
});

const INVALID: Readonly<Record<string, string>> = {
  "a counter without _total": "# HELP a A.\n# TYPE a counter\na 1\n",
  "a name with a dash": "# HELP a-b A.\n# TYPE a-b gauge\na-b 1\n",
  "no type": "# HELP a A.\na 1\n",
  "no help": "# TYPE a gauge\na 1\n",
  "no newline at the end": "# HELP a A.\n# TYPE a gauge\na 1",
  "a raw quote in a label": '# HELP a A.\n# TYPE a gauge\na{b="x"y"} 1\n',
  "a sample twice": '# HELP a A.\n# TYPE a gauge\na{b="x"} 1\na{b="x"} 2\n',
  "a family in two pieces": "# HELP a A.\n# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb 1\n# HELP a A.\n",
  "no +Inf": '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
  "buckets that shrink":
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  "a count that is not +Inf": '# HELP a A.\n# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n',
  "a number that is none": "# HELP a A.\n# TYPE a gauge\na null\n",
};

for (const [what, text] of Object.entries(INVALID)) {
  Deno.test(`the reader of these tests refuses ${what}`, () => {
    assertThrows(() => parsePrometheus(text));
  });
}
