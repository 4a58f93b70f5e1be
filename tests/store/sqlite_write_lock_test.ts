/** Who keeps others from writing to a SQLite file. @module */
import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { holderIn } from "../../lib/store/sqlite/write_lock.ts";
import { tempStore } from "../support/temp_store.ts";

const LOCKS = `
1: POSIX  ADVISORY  READ  900 08:01:131073 123 123
2: POSIX  ADVISORY  WRITE 901 08:01:131073 121 121
3: FLOCK  ADVISORY  WRITE 902 08:01:131072 0 EOF
4: POSIX  ADVISORY  WRITE 903 08:01:131073 120 120
5: POSIX  ADVISORY  WRITE 904 08:01:131074 0 EOF
6: POSIX  ADVISORY  WRITE 0 08:01:131075 120 120
`.trim();

Deno.test("of all locks of the system, that on the byte of writers counts", () => {
  const holders = [131_073, 131_072, 131_074, 131_075, 1].map((inode) => holderIn(LOCKS, inode));

  // What another pid namespace holds has no number here.
  assertEquals(holders, [903, 902, 904, undefined, undefined]);
});

Deno.test("blocker() is the process in the middle of a write", async () => {
  await using temp = await tempStore();
  const other = new DatabaseSync(temp.path);

  assertEquals(temp.store.blocker(), undefined);
  other.exec("begin immediate");
  assertEquals(temp.store.blocker(), Deno.pid);
  other.exec("rollback");
  assertEquals(temp.store.blocker(), undefined);

  other.close();
});
