/** What a worker notes of its groups. @module */
import { assertEquals } from "@std/assert";
import { GroupRecords, readGroups } from "../../../lib/host/group_records.ts";
import { signalGroup } from "../../../lib/host/process_group.ts";
import { processStart } from "../../../lib/host/process_identity.ts";
import { tempDirectory } from "../../support/temp_store.ts";
import { waitFor } from "../../support/wait_for.ts";

Deno.test("groups that run are noted, and those that have ended are not", async () => {
  await using temp = await tempDirectory();
  const records = new GroupRecords(`${temp.path}/groups`);
  for (const pgid of [4_000_001, 4_000_002, 4_000_003]) records.add(1_700_000_000_000 + pgid, pgid);
  records.remove(4_000_002);
  records.remove(4_000_009);

  const expected = [4_000_001, 4_000_003].map((pgid) => ({ claim: 1_700_000_000_000 + pgid, pgid, processStart: "0" }));
  assertEquals(readGroups(`${temp.path}/groups`), expected);
  records.close();
});

Deno.test("a million groups, a few at once, do not make a file of more than a few lines", async () => {
  await using temp = await tempDirectory();
  const records = new GroupRecords(`${temp.path}/groups`);
  records.add(Number.MAX_SAFE_INTEGER, 2);
  for (let pgid = 3; pgid < 20_000; pgid++) {
    records.add(1_700_000_000_000 + pgid, pgid);
    if (pgid > 5) records.remove(pgid - 2);
  }

  const lines = Deno.readTextFileSync(`${temp.path}/groups`).split("\n");
  assertEquals([lines.length <= 7, new Set(lines.map((line) => line.length))], [true, new Set([63, 0])]);
  assertEquals(readGroups(`${temp.path}/groups`).map(({ pgid }) => pgid).toSorted(), [19_998, 19_999, 2, 3]);
  records.close();
});

Deno.test("the start of a group that goes on is noted a moment later", async () => {
  await using temp = await tempDirectory();
  const records = new GroupRecords(`${temp.path}/groups`);
  records.add(17, Deno.pid);

  await waitFor(() => readGroups(`${temp.path}/groups`)[0]?.processStart !== "0", "the start of the group");

  assertEquals(readGroups(`${temp.path}/groups`), [{
    claim: 17,
    pgid: Deno.pid,
    processStart: processStart(Deno.pid),
  }]);
  records.close();
});

Deno.test("numbers that stand for every process, or for our own group, are no groups", async () => {
  await using temp = await tempDirectory();
  await Deno.writeTextFile(`${temp.path}/groups`, "17 1 0\n17 0 0\n17 -1 0\nwords\n17 4000001 0\n");

  assertEquals(readGroups(`${temp.path}/groups`).map(({ pgid }) => pgid), [4_000_001]);
  for (const pgid of [1, 0, -1, NaN, 1.5]) assertEquals(signalGroup(pgid, "SIGCONT"), false);
});

Deno.test("nothing is noted by a worker that started nothing", async () => {
  await using temp = await tempDirectory();

  new GroupRecords(`${temp.path}/groups`).close();

  assertEquals(readGroups(`${temp.path}/groups`), []);
  assertEquals([...Deno.readDirSync(temp.path)], []);
});
