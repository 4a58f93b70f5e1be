/** The guardian, with groups that really run. @module */
import { assertEquals } from "@std/assert";
import { isGroupRunning } from "../../../lib/host/process_group.ts";
import { processes, processStatus } from "../../../lib/host/process_identity.ts";
import { startGuardian } from "../../../lib/worker/guardian.ts";
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

Deno.test("when its pipe closes, the groups that were not forgotten are dead", async () => {
  const guardian = startGuardian();
  const [guarded, forgotten] = [aGroup(), aGroup()];
  for (const { pid } of [guarded, forgotten]) guardian.guard(pid);
  guardian.forget(forgotten.pid);

  await guardian.close();

  assertEquals((await guarded.status).signal, "SIGKILL");
  await waitFor(() => !isGroupRunning(guarded.pid), "the whole group to be gone");
  assertEquals(isGroupRunning(forgotten.pid), true);
  Deno.kill(-forgotten.pid, "SIGKILL");
  await forgotten.status;
});

Deno.test("a guardian that somebody killed is replaced, and the new one knows the groups of the old", async () => {
  const before = childrenOf(Deno.pid);
  const guardian = startGuardian();
  const group = aGroup();
  guardian.guard(group.pid);
  const isNew = (pid: number) => !before.includes(pid) && pid !== group.pid;
  const first = childrenOf(Deno.pid).find(isNew)!;

  Deno.kill(first, "SIGKILL");
  await waitFor(() => childrenOf(Deno.pid).some((pid) => isNew(pid) && pid !== first), "another guardian");
  await guardian.close();

  assertEquals((await group.status).signal, "SIGKILL");
});
