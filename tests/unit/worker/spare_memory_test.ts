import { assertEquals } from "@std/assert";
import { cleanMappings, SpareMemory } from "../../../lib/worker/spare_memory.ts";

const details = (anonymousKb: number) =>
  `Size:               1024 kB\nRss:                 512 kB\nAnonymous:           ${anonymousKb} kB\nVmFlags: rd mr\n`;

Deno.test("only files that nobody changed in memory are dropped from it", () => {
  const smaps = [
    ["1000-3000 r--p 00000000 fe:00 21                         /opt/queuectl", 0],
    ["5636a1f46000-5636a540a000 r-xp 025b3000 fe:00 21         /opt/a folder/queuectl", 0],
    // What the dynamic linker wrote before it was made read-only.
    ["4000-5000 r--p 00003000 fe:00 21                         /opt/queuectl", 4],
    ["5000-6000 rw-p 00004000 fe:00 21                         /opt/queuectl", 0],
    ["7000-8000 r--s 00000000 fe:00 22                         /tmp/queue.db-shm", 0],
    ["8000-9000 r-xp 00000000 00:00 0                          [vdso]", 0],
    ["9000-a000 r--p 00000000 00:00 0 ", 0],
  ].map(([head, anonymousKb]) => `${head}\n${details(Number(anonymousKb))}`).join("");

  assertEquals(cleanMappings(smaps), [
    { start: 0x1000n, bytes: 0x2000n },
    { start: 0x5636a1f46000n, bytes: 0x34c4000n },
  ]);
});

Deno.test("a process that gave its memory back goes on, with less of it", { ignore: Deno.build.os !== "linux" }, () => {
  const spare = new SpareMemory();
  const before = residentKb();

  spare.giveBack(60_000);

  const after = residentKb();
  assertEquals(JSON.parse('{"still": ["here"]}'), { still: ["here"] });
  assertEquals(after < before, true, `${before} kB before, ${after} kB after`);
});

function residentKb(): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status"))?.[1]);
}
