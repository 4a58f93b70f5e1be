import { assert, assertEquals } from "@std/assert";
import { outputBase, readCut, streamPath } from "../../../lib/operations/output_files.ts";
import { StreamReader } from "../../../lib/operations/stream_reader.ts";
import { LimitedStream } from "../../../lib/worker/limited_stream.ts";
import { tempDirectory } from "../../support/temp_store.ts";

/** Filesystems without holes are played by this. */
const noHoles = () => false;

/** The n-th byte of the stream tells where it is: a byte in the wrong place is seen. */
function pattern(start: number, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => byteAt(start + index));
}

function byteAt(position: number): number {
  return 1 + (position * 31 + (position >> 8) * 17) % 255;
}

async function streamOf(limit: number, punch?: typeof noHoles) {
  const temp = await tempDirectory();
  Deno.mkdirSync(`${temp.path}/logs`);
  const path = streamPath(outputBase(temp.path, 1, 1), "stdout");
  const writer = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  const stream = new LimitedStream(path, { limitBytes: () => limit, ...(punch && { punch }) });
  let printed = 0;
  return {
    path,
    stream,
    print(length: number) {
      writer.writeSync(pattern(printed, length));
      printed += length;
    },
    [Symbol.asyncDispose]: async () => {
      writer.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** All that a reader gets, as [first byte's place, length] of each piece in a row; the content is checked. */
function readAll(reader: StreamReader): [number, number][] {
  const ranges: [number, number][] = [];
  while (true) {
    const before = reader.offset;
    const piece = reader.next();
    if (typeof piece === "string") return ranges;
    const start = before + piece.dropped;
    assertEquals(piece.bytes, pattern(start, piece.bytes.length));
    const last = ranges.at(-1);
    if (last !== undefined && last[0] + last[1] === start) last[1] += piece.bytes.length;
    else ranges.push([start, piece.bytes.length]);
  }
}

for (const [name, punch] of [["holes", undefined], ["truncation", noHoles]] as const) {
  Deno.test(`a stream within its limit is not touched (${name})`, async () => {
    await using test = await streamOf(10_000, punch);
    test.print(10_000);

    assertEquals(test.stream.look(), 10_000);

    assertEquals(readCut(test.path), undefined);
    assertEquals(Deno.statSync(test.path).size, 10_000);
  });

  Deno.test(`a stream that goes on for ever takes a bounded space, and every byte is counted (${name})`, async () => {
    const limit = 200_000;
    await using test = await streamOf(limit, punch);
    let most = 0;

    for (let i = 0; i < 60; i++) {
      test.print(60_000);
      test.stream.look();
      most = Math.max(most, (Deno.statSync(test.path).blocks ?? 0) * 512);
    }
    const settled = await test.stream.settle();

    assert(most < 2 * limit, `took ${most} bytes`);
    assertEquals(settled.bytes, 3_600_000);
    const kept = settled.bytes - settled.dropped;
    assert(kept <= limit && kept >= limit / 2, `kept ${kept}`);
    assert(Deno.statSync(test.path).size < limit + 100);
  });

  Deno.test(`head and tail are what was printed first and last (${name})`, async () => {
    await using test = await streamOf(1_000, punch);
    for (let i = 0; i < 50; i++) {
      test.print(777);
      test.stream.look();
    }

    const settled = await test.stream.settle();

    const total = 50 * 777;
    assertEquals(readAll(new StreamReader(test.path)), [[0, 500], [total - 500, 500]]);
    assertEquals({ ...settled, tail: null }, { tail: null, bytes: total, dropped: total - 1_000 });
    const file = Deno.readFileSync(test.path);
    const line = new TextEncoder().encode(`\n[queuectl: ${total - 1_000} bytes dropped]\n`);
    assertEquals(file.subarray(500, 500 + line.length), line);
    assertEquals(settled.tail, file);
  });

  Deno.test(`whoever reads along gets each byte once, in its place, or is told that it is missing (${name})`, async () => {
    await using test = await streamOf(10_000, punch);
    const reader = new StreamReader(test.path);
    const seen: [number, number][] = [];

    for (let i = 0; i < 30; i++) {
      test.print(3_333);
      if (i % 3 === 0) seen.push(...readAll(reader));
      test.stream.look();
      if (i % 5 === 0) seen.push(...readAll(reader));
    }
    await test.stream.settle();
    seen.push(...readAll(reader));

    assertEquals(reader.offset, 30 * 3_333);
    for (const [index, [start, length]] of seen.entries()) {
      const next = seen[index + 1];
      if (next !== undefined) assert(next[0] >= start + length, `${next[0]} comes after ${start + length}`);
    }
  });
}

Deno.test("a little output goes to the store alone, and its file stays until the result is stored", async () => {
  await using test = await streamOf(10_000);
  test.print(100);

  const settled = await test.stream.settle();

  assertEquals(settled, { tail: pattern(0, 100), bytes: 100, dropped: 0 });
  assertEquals(Deno.statSync(test.path).size, 100);
  test.stream.letGo();
  assertEquals(new StreamReader(test.path).next(), "missing");
});

Deno.test("much output stays in a file that the processes of the job do not have open", async () => {
  await using test = await streamOf(1_000_000);
  test.print(200_000);

  const settled = await test.stream.settle();
  test.stream.letGo();
  test.print(50_000);

  assertEquals(settled.tail, pattern(200_000 - 65_536, 65_536));
  assertEquals(Deno.readFileSync(test.path), pattern(0, 200_000));
  assertEquals((Deno.statSync(test.path).mode ?? 0) & 0o777, 0o600);
});

Deno.test("of a process that never started there is no output", async () => {
  await using temp = await tempDirectory();
  const stream = new LimitedStream(`${temp.path}/1-1.out`, { limitBytes: () => 100 });

  assertEquals(stream.look(), 0);
  assertEquals(await stream.settle(), { tail: null, bytes: 0, dropped: 0 });
});

Deno.test("bringing much output to its final form leaves time for other jobs", async () => {
  await using box = await streamOf(8_000_000);
  box.print(10_000_000);
  let turns = 0;
  const others = setInterval(() => turns++, 0);

  const { bytes } = await box.stream.settle();

  clearInterval(others);
  assertEquals(bytes, 10_000_000);
  assert(turns > 0);
});

for (const punch of [undefined, noHoles]) {
  Deno.test(`after a job has emptied its own output, what it prints then is whole (${punch?.name ?? "holes"})`, async () => {
    await using box = await streamOf(1_000, punch);
    box.print(3_000);
    box.stream.look();
    Deno.truncateSync(box.path);

    Deno.writeFileSync(box.path, pattern(0, 400), { append: true });
    const { bytes, dropped } = await box.stream.settle();

    assertEquals([bytes, dropped], [400, 0]);
    assertEquals(readAll(new StreamReader(box.path)), [[0, 400]]);
  });
}
