/** Reading a batch, and storing it, without a command line around it. */
import { assertEquals, assertRejects } from "@std/assert";
import { ConflictError, UsageError } from "../../../lib/core/errors.ts";
import type { JobDefaults } from "../../../lib/core/job_fields.ts";
import { type CheckedBatch, insertBatch, readBatch } from "../../../lib/operations/enqueue_batch.ts";
import { START } from "../../support/fake_clock.ts";
import { aJob } from "../../support/factories.ts";
import { tempDirectory, tempStore } from "../../support/temp_store.ts";

const DEFAULTS: JobDefaults = {
  now: START,
  max_retries: 3,
  backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
  timeout_ms: null,
  kill_grace_ms: 10_000,
  cwd: "/tmp",
};

interface Wishes {
  readonly form?: "json" | "lines";
  readonly common?: Record<string, unknown>;
  readonly folders?: readonly string[];
  /** Bytes that come together. Default: all. */
  readonly pieceBytes?: number;
}

async function* pieces(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
}

function read(text: string | Uint8Array, wishes: Wishes = {}): Promise<CheckedBatch> {
  const { form = "json", common = {}, folders = ["/nonexistent"], pieceBytes = 1_000_000 } = wishes;
  return readBatch({ chunks: pieces(text, pieceBytes), form, name: '"f"' }, { defaults: DEFAULTS, common, folders });
}

function commands(batch: CheckedBatch): (string | null)[] {
  return [...batch.jobs()].map((job) => job.command);
}

Deno.test("an array, NDJSON and lines give the same jobs", async () => {
  using array = await read('[{"command":"a"},\n {"command":"b"}]\n');
  using ndjson = await read('{"command":"a"}\n\n  \n{"command":"b"}');
  using lines = await read("a\r\n\nb\n", { form: "lines" });

  for (const batch of [array, ndjson, lines]) {
    assertEquals(batch.count, 2);
    assertEquals(commands(batch), ["a", "b"]);
    // A second look finds the same: a transaction may have to begin again.
    assertEquals(commands(batch), ["a", "b"]);
  }
});

Deno.test("the size of the pieces in which a batch arrives does not matter", async () => {
  for (const pieceBytes of [1, 2, 5]) {
    using ndjson = await read('\ufeff{"command":"ä"}\n{"command":"€"}', { pieceBytes });
    using array = await read('\n\n [{"command":"ä"},{"command":"€"}]', { pieceBytes });

    assertEquals(commands(ndjson), ["ä", "€"]);
    assertEquals(commands(array), ["ä", "€"]);
  }
});

Deno.test("a batch of nothing has no jobs", async () => {
  for (const text of ["", "\n\n", "[]"]) {
    using batch = await read(text);
    assertEquals(batch.count, 0);
  }
});

Deno.test("common fields hold for jobs that do not say otherwise, in whatever spelling", async () => {
  const common = { queue: "mail", timeout: "5s", max_retries: 7 };
  using batch = await read(
    '{"command":"a"}\n{"command":"b","queue":"x","timeout_ms":100,"max_attempts":1}\n{"argv":["true"]}',
    { common },
  );

  assertEquals([...batch.jobs()].map((job) => [job.queue, job.timeout_ms, job.max_retries, job.type]), [
    ["mail", 5_000, 7, "shell"],
    ["x", 100, 0, "shell"],
    ["mail", 5_000, 7, "exec"],
  ]);
});

Deno.test("jobs may name templates; what they say themselves comes first", async () => {
  const templates = [{
    name: "t",
    job: { command: "make", queue: "build", timeout: 60 },
    created_at: 0,
    updated_at: 0,
  }];
  const chunks = pieces('{"template":"t"}\n{"template":"t","argv":["true"],"queue":"x"}\n{"command":"b"}', 1_000);
  const source = { chunks, form: "json" as const, name: '"f"' };

  using batch = await readBatch(source, { defaults: DEFAULTS, common: {}, templates, folders: [] });

  assertEquals([...batch.jobs()].map((job) => [job.command ?? job.argv, job.queue, job.timeout_ms]), [
    ["make", "build", 60_000],
    [["true"], "x", 60_000],
    ["b", "default", null],
  ]);
});

const REFUSED: readonly [string, string | Uint8Array, string, Wishes?][] = [
  ["broken JSON", '{"command":"a"}\n\n{"command":', 'Cannot enqueue line 3 of "f": invalid JSON: '],
  ["a value", '{"command":"a","priority":"abc"}', 'Cannot enqueue line 1 of "f": invalid priority "abc": '],
  [
    "an unknown field",
    '[\n{"command":"a"},\n\n{"comand":"b"}]',
    'Cannot enqueue line 4 of "f": unknown field "comand"',
  ],
  ["no object", '{"command":"a"}\n7', 'Cannot enqueue line 2 of "f": expected a job as a JSON object'],
  ["an unknown template", '{"template":"t"}', 'Cannot enqueue line 1 of "f": no template "t"'],
  ["no command", "{}", 'Cannot enqueue line 1 of "f": missing command'],
  ["an array without end", '[{"command":"a"}', 'Cannot enqueue line 1 of "f": unexpected end of the JSON array'],
  [
    "what is not text",
    new Uint8Array([...new TextEncoder().encode("true\nfalse\n"), 0xff, 10]),
    'Cannot enqueue line 3 of "f": it is not valid UTF-8',
    { form: "lines" },
  ],
  ["a NUL", "true\nfal\0se", 'Cannot enqueue line 2 of "f": invalid command', { form: "lines" }],
];

for (const [what, text, message, wishes] of REFUSED) {
  Deno.test(`a batch with ${what} is refused with the line and the reason`, async () => {
    await assertRejects(() => read(text, wishes), UsageError, message);
  });
}

Deno.test("a large batch rests in a private file that is gone while it is used", async () => {
  await using temp = await tempDirectory();
  const line = `{"command":"true ${"x".repeat(1_000)}"}\n`;
  const text = line.repeat(10_000);

  using batch = await read(text, { folders: ["/nonexistent", temp.path], pieceBytes: 65_536 });

  assertEquals([...Deno.readDirSync(temp.path)], []);
  assertEquals(batch.count, 10_000);
  assertEquals(commands(batch).length, 10_000);
  assertEquals(commands(batch).at(-1), JSON.parse(line).command);
});

Deno.test("a batch is stored whole, in its order", async () => {
  await using temp = await tempStore();
  using batch = await read(Array.from({ length: 2_500 }, (_, i) => `true ${i}`).join("\n"), { form: "lines" });
  const seen: string[] = [];

  assertEquals(await insertBatch(temp.store, batch, { onInserted: (id) => seen.push(id) }), 2_500);

  const stored = await temp.store.jobs.list({});
  assertEquals(stored.map((job) => job.id), seen.toReversed());
  assertEquals(stored.map((job) => job.command), Array.from({ length: 2_500 }, (_, i) => `true ${2_499 - i}`));
});

Deno.test("a used id names its line, and nothing is stored", async () => {
  await using temp = await tempStore();
  await aJob(temp.store, { id: "taken" });
  using batch = await read('{"command":"a"}\n\n{"id":"taken","command":"b"}');

  await assertRejects(
    () => insertBatch(temp.store, batch),
    ConflictError,
    'Cannot enqueue line 3 of "f", job "taken": the id is in use',
  );

  assertEquals((await temp.store.jobs.list({})).map((job) => job.id), ["taken"]);
});

Deno.test("an id that a batch has twice names the second", async () => {
  await using temp = await tempStore();
  using batch = await read('[{"id":"x","command":"a"},{"id":"x","command":"b"}]');

  await assertRejects(
    () => insertBatch(temp.store, batch),
    ConflictError,
    'Cannot enqueue item 2 of "f", job "x": the batch has this id twice',
  );

  assertEquals(await temp.store.jobs.list({}), []);
});
