/** Groups that outlived their run, with processes that really run. @module */
import { assertEquals } from "@std/assert";
import { LeftGroups } from "../../../lib/host/left_groups.ts";
import { endLeftovers } from "../../../lib/host/leftovers.ts";
import { processStart } from "../../../lib/host/process_identity.ts";
import { tempDirectory } from "../../support/temp_store.ts";
import { waitFor } from "../../support/wait_for.ts";

/** A group whose leader has ended and whose other process goes on, without an environment. */
async function leaderless(): Promise<{ readonly pgid: number; readonly pid: number }> {
  const leader = new Deno.Command("sh", {
    args: ["-c", "env -i sleep 60 >/dev/null & echo $!"],
    detached: true,
    stdout: "piped",
  });
  const child = leader.spawn();
  const pid = Number(new TextDecoder().decode((await child.output()).stdout));
  return { pgid: child.pid, pid };
}

const STORE = { identity: "this-store", location: "/q.db" };

function leftGroups(folder: string, identity = STORE.identity): LeftGroups {
  return new LeftGroups({ folder, identity });
}

function files(path: string): string[] {
  return [...Deno.readDirSync(`${path}/run/left`)].map(({ name }) => name);
}

Deno.test("a group without its leader is noted with its members, found again by another worker, and ended", async () => {
  await using temp = await tempDirectory();
  const { pgid, pid } = await leaderless();

  leftGroups(temp.path).note(7, 1_000, pgid);
  const groups = leftGroups(temp.path).of(7);
  assertEquals(groups, [{ claim: 1_000, pgid, processStart: "0", members: [{ pid, start: processStart(pid) }] }]);

  assertEquals(await endLeftovers({ store: STORE, cookies: [], groups }), []);
  await waitFor(
    () => processStart(pid) === "" || !Deno.readTextFileSync(`/proc/${pid}/stat`).includes(") S"),
    "its end",
  );
});

Deno.test("nothing is noted of a group that is empty, and what has ended since is swept away", async () => {
  await using temp = await tempDirectory();
  const left = leftGroups(temp.path);
  const { pgid, pid } = await leaderless();
  left.note(1, 5, 2 ** 22 + 1);
  left.note(2, 6, pgid);
  assertEquals(files(temp.path), ["2.6"]);
  left.sweep();
  assertEquals(files(temp.path), ["2.6"]);

  Deno.kill(pid, "SIGKILL");

  await waitFor(() => {
    left.sweep();
    return files(temp.path).length === 0;
  }, "its file to be gone");
});

Deno.test("a process whose number a recorded group had is waited for, and never killed, when nothing proves that it is ours", async () => {
  const { pgid, pid } = await leaderless();
  const strangers = [{ claim: 1, pgid, processStart: "0", members: [{ pid, start: "1" }] }];

  assertEquals(await endLeftovers({ store: STORE, cookies: [], groups: strangers }), [pid]);

  assertEquals(processStart(pid) === "", false, "it was killed");
  Deno.kill(pid, "SIGKILL");
});

Deno.test("a sweep that is suspended before it removes a file does not remove what a later run noted meanwhile", async () => {
  await using temp = await tempDirectory();
  const left = leftGroups(temp.path);
  const [earlier, later] = [await leaderless(), await leaderless()];
  left.note(7, 1, earlier.pgid);
  Deno.kill(earlier.pid, "SIGKILL");
  const remove = Deno.removeSync;
  let isSuspended = false;
  Deno.removeSync = (path) => {
    Deno.removeSync = remove;
    isSuspended = true;
    left.forget(7);
    left.note(7, 2, later.pgid);
    remove(path);
  };

  try {
    await waitFor(() => {
      left.sweep();
      return isSuspended;
    }, "the sweep to remove the file");
  } finally {
    Deno.removeSync = remove;
  }

  assertEquals(left.of(7).map(({ claim }) => claim), [2]);
  Deno.kill(later.pid, "SIGKILL");
});
