/** The guardian, with groups that really run. @module */
import { assertEquals } from "@std/assert";
import { GroupRecords } from "../../../lib/host/group_records.ts";
import { isGroupRunning } from "../../../lib/host/process_group.ts";
import { processes, processStatus } from "../../../lib/host/process_identity.ts";
import { startGuardian } from "../../../lib/worker/guardian.ts";
import { OTHER_UID } from "../../support/other_user.ts";
import { tempDirectory } from "../../support/temp_store.ts";
import { waitFor } from "../../support/wait_for.ts";

/** A shell with a child, in a group of their own. */
function aGroup(): Deno.ChildProcess {
  return new Deno.Command("sh", { args: ["-c", "sleep 60 & sleep 60"], detached: true, stdin: "null" }).spawn();
}

function childrenOf(parent: number): number[] {
  return processes().filter((pid) => {
    const stat = processStatus(pid);
    return stat.start !== "" && !stat.isDead && parentOf(pid) === parent;
  });
}

function parentOf(pid: number): number {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

Deno.test("when its pipe closes, the groups that are still noted are dead", async () => {
  await using temp = await tempDirectory();
  const records = new GroupRecords(`${temp.path}/groups`);
  const guardian = startGuardian(`${temp.path}/groups`);
  const [first, ended, last] = [aGroup(), aGroup(), aGroup()];
  for (const { pid } of [first, ended, last]) records.add(17, pid);
  records.remove(ended.pid);

  await guardian.close();

  for (const group of [first, last]) {
    assertEquals((await group.status).signal, "SIGKILL");
    await waitFor(() => !isGroupRunning(group.pid), "the whole group to be gone");
  }
  assertEquals(isGroupRunning(ended.pid), true);
  Deno.kill(-ended.pid, "SIGKILL");
  await ended.status;
  records.close();
});

Deno.test("a guardian whose worker started nothing ends", async () => {
  await using temp = await tempDirectory();

  await startGuardian(`${temp.path}/groups`).close();
});

Deno.test("a guardian that somebody killed is replaced, and the new one knows the groups of the old", async () => {
  await using temp = await tempDirectory();
  const before = childrenOf(Deno.pid);
  const records = new GroupRecords(`${temp.path}/groups`);
  const guardian = startGuardian(`${temp.path}/groups`);
  const group = aGroup();
  records.add(17, group.pid);
  const isNew = (pid: number) => !before.includes(pid) && pid !== group.pid;
  const first = childrenOf(Deno.pid).find(isNew)!;

  Deno.kill(first, "SIGKILL");
  await waitFor(() => childrenOf(Deno.pid).some((pid) => isNew(pid) && pid !== first), "another guardian");
  await guardian.close();

  assertEquals((await group.status).signal, "SIGKILL");
  records.close();
});

Deno.test("a guardian kills nobody on the word of a file that is wrong, another user's, or a link", async () => {
  await using temp = await tempDirectory();
  const [victim, other] = [aGroup(), aGroup()];
  const path = `${temp.path}/groups`;
  const write = (text: string) => Deno.writeTextFile(path, text);
  const files: Record<string, () => Promise<void>> = {
    "numbers that stand for more than one group, and words": () =>
      write(`17 1 0\n17 0 0\n17 00 0\n17 -1 0\n17 -${victim.pid} 0\n\nwords and words\n17\n17 ${victim.pid}x 0\n`),
    "a group that started at another time": () => write(`17 ${victim.pid} 1\n`),
    "a link": async () => {
      await Deno.writeTextFile(`${temp.path}/planted`, `17 ${victim.pid} 0\n`);
      await Deno.symlink(`${temp.path}/planted`, path);
    },
    "a file of another user": async () => {
      await write(`17 ${victim.pid} 0\n`);
      await Deno.chown(path, OTHER_UID, OTHER_UID);
    },
  };
  for (const [what, make] of Object.entries(files)) {
    await make();
    await startGuardian(path).close();
    assertEquals(isGroupRunning(victim.pid), true, what);
    await Deno.remove(path);
  }

  await write(`17 ${other.pid} ${processStatus(other.pid).start}\n`);
  await startGuardian(path).close();

  assertEquals((await other.status).signal, "SIGKILL");
  Deno.kill(-victim.pid, "SIGKILL");
  await victim.status;
});
