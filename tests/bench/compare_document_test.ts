import { assertEquals, assertStringIncludes } from "@std/assert";
import { FULL } from "../../bench/compare/arguments.ts";
import { documentOf, type Run } from "../../bench/compare/document.ts";
import { fileSystemOf } from "../../bench/compare/machine.ts";
import type { Figures } from "../../bench/compare/measure.ts";
import { middle, percentile, tablesOf } from "../../bench/compare/tables.ts";

function figures(changes: Partial<Figures>): Figures {
  return {
    name: "tool",
    title: "Tool",
    version: "1.0",
    whole: {},
    work: {},
    enqueue: [],
    add: [],
    pickups: [],
    bulk: [],
    idle: null,
    ...changes,
  };
}

function rowsOf(title: string, ...all: Figures[]): readonly (readonly string[])[] {
  const found = tablesOf(all, FULL).find((table) => table.title.startsWith(title));
  if (found === undefined) throw new Error(`No table is called ${title}`);
  return found.rows;
}

Deno.test("a figure is the median of its rounds", () => {
  assertEquals(rowsOf("Bulk", figures({ bulk: [10, 5_000, 1_234] })), [["Tool", "1,234"]]);
  assertEquals(middle([4, 1, 3, 2]), 2.5);
});

Deno.test("what a tool cannot do is a dash, and a tool that can do nothing of a table is not in it", () => {
  const nq = figures({ title: "nq", whole: { 1: [144] } });
  const silent = figures({ title: "silent" });

  assertEquals(rowsOf("Jobs per second, start of the program included", nq, silent), [["nq", "144", "-", "-"]]);
});

Deno.test("pickup percentiles are those of the samples of all rounds", () => {
  const pickups = Array.from({ length: 100 }, (_, i) => ({ fromReturn: i + 1, fromStart: i + 51 }));

  assertEquals(rowsOf("Pickup", figures({ pickups })), [["Tool", "51.0", "100", "101", "100"]]);
  assertEquals(percentile([], 0.5), NaN);
});

Deno.test("the memory of worker and server is shown for each and together", () => {
  const worker = { cpu: 0.1, rss: 40, pss: 30, processes: 1 };
  const server = { cpu: 0.25, rss: 200, pss: 50, processes: 6 };

  assertEquals(rowsOf("Idle", figures({ idle: { worker, server } })), [
    ["Tool", "0.10", "0.25", "40", "200", "240", "80"],
  ]);
});

Deno.test("a tool without a server has a dash there, not a zero", () => {
  const worker = { cpu: 0, rss: 1, pss: 1, processes: 1 };
  const server = { cpu: 0, rss: 0, pss: 0, processes: 0 };

  assertEquals(rowsOf("Idle", figures({ idle: { worker, server } })), [["Tool", "0.00", "-", "1", "-", "1", "1"]]);
});

const RUN: Run = {
  date: new Date("2026-01-02T03:04:05Z"),
  machine: {
    cores: 2,
    processor: "Some CPU",
    memoryMb: 8_000,
    system: "Some Linux",
    kernel: "6.1",
    fileSystem: "ext4",
    load: 0.5,
  },
  sizes: FULL,
  isQuick: false,
  measured: {
    figures: [figures({ bulk: [1_000] })],
    notMeasured: [{ name: "pueue", title: "pueue", reason: "it is not there" }],
    errors: [],
  },
};

Deno.test("the document names date, machine, versions, and what was not measured", () => {
  const text = documentOf(RUN);

  for (const part of ["2026-01-02", "2 cores of Some CPU", "ext4", "Tool 1.0", "- pueue: it is not there."]) {
    assertStringIncludes(text, part);
  }
});

Deno.test("the document of a small run says so at the top, that of a whole run does not", () => {
  assertEquals(documentOf(RUN).includes("small run"), false);
  assertStringIncludes(documentOf({ ...RUN, isQuick: true }), "small run");
  assertStringIncludes(documentOf({ ...RUN, sizes: { ...FULL, rounds: 1 } }), "small run");
});

Deno.test("the file system is that of the nearest mount above the folder", () => {
  const mountinfo = [
    "1 0 8:1 / / rw - ext4 /dev/a rw",
    "2 1 0:2 / /var/tmp rw - tmpfs tmpfs rw",
    "3 1 0:3 / /var/my\\040disk rw - xfs /dev/b rw",
  ].join("\n");

  assertEquals(fileSystemOf("/var/tmp/compare", mountinfo), "tmpfs");
  assertEquals(fileSystemOf("/var/tmpfoo", mountinfo), "ext4");
  assertEquals(fileSystemOf("/var/my disk/x", mountinfo), "xfs");
});
