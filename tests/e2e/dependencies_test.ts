/** Jobs after other jobs. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

const step = (id: string, after: string[], command = `echo ${id} >>out`) => JSON.stringify({ id, after, command });

/** d waits for b and c, which wait for a; written upside down. */
const diamond = (root: string) =>
  [step("d", ["b", "c"]), step("b", ["a"]), step("c", ["a"]), step("a", [], root)].join("\n");

async function states(box: Sandbox): Promise<Record<string, string>> {
  const jobs = await box.json<{ id: string; state: string }[]>(["list"]);
  return Object.fromEntries(jobs.map(({ id, state }) => [id, state]).sort());
}

Deno.test("a diamond in one batch file runs in order", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "-"], { stdin: diamond("echo a >>out") });
  assertEquals(await states(box), { a: "pending", b: "blocked", c: "blocked", d: "blocked" });

  await box.ok(["worker", "run", "--drain", "--concurrency", "4"]);

  const out = (await Deno.readTextFile(`${box.directory}/out`)).trim().split("\n");
  assertEquals([out[0], out.slice(1, 3).toSorted(), out[3]], ["a", ["b", "c"], "d"]);
});

Deno.test("a dead root cancels the rest by name; retry of all brings it home", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "--max-retries", "0", "-"], { stdin: diamond("test -e fixed") });
  assertEquals((await box.run(["worker", "run", "--drain"])).code, 1);

  assertEquals(await states(box), { a: "dead", b: "cancelled", c: "cancelled", d: "cancelled" });
  assertEquals((await box.json(["show", "b"])).reason, 'parent "a" ended dead');
  assertMatch((await box.json(["show", "d"])).reason, /^parent "[bc]" ended cancelled: parent "a" ended dead$/);
  const alone = await box.run(["retry", "b"]);
  assertEquals(alone.code, 4);
  assertStringIncludes(alone.stderr, 'Cannot retry job "b": its parent "a" is dead\nTry: queuectl retry a b\n');
  // The hint for the last of them is what brings all of them home.
  const last = await box.run(["retry", "d"]);
  const [, hint = ""] = /^Try: queuectl (.*)$/m.exec(last.stderr) ?? [];
  assertEquals(hint.split(" ").toSorted(), ["a", "b", "c", "d", "retry"]);

  await Deno.writeTextFile(`${box.directory}/fixed`, "");
  await box.ok(hint.split(" "));
  await box.ok(["worker", "run", "--drain"]);
  assertEquals(await states(box), { a: "completed", b: "completed", c: "completed", d: "completed" });
});

Deno.test("a cycle is exit 2 and printed; an unknown parent is exit 3; nothing is stored", async () => {
  await using box = await sandbox();

  const cycle = await box.run(["enqueue-batch", "-"], {
    stdin: [step("a", ["c"]), step("b", ["a"]), step("c", ["b"])].join("\n"),
  });
  assertEquals(cycle.code, 2);
  assertStringIncludes(cycle.stderr, "a -> c -> b -> a");
  const unknown = await box.run(["enqueue", "--after", "nobody", "true"]);
  assertEquals(unknown.code, 3);
  assertStringIncludes(unknown.stderr, 'No job "nobody"');
  assertEquals((await box.run(["enqueue", "--id", "me", "--after", "me", "true"])).code, 2);
  assertEquals(await states(box), {});
});

Deno.test("--after-any runs after any end, and the end of a parent is remembered when it is gone", async () => {
  await using box = await sandbox();
  const bad = await box.ok(["enqueue", "--max-retries", "0", "false"]);
  const good = await box.ok(["enqueue", "--id", "good", "true"]);
  await box.ok(["enqueue", "--id", "late", "--delay", "1h", "true"]);
  await box.ok(["enqueue", "--id", "cleanup", "--after-any", `${bad},${good}`, "true"]);
  await box.ok(["enqueue", "--id", "both", "--after", "good", "--after", "late", "true"]);
  await box.run(["worker", "run", "--drain"]);

  assertEquals((await box.json(["show", "cleanup"])).state, "completed");
  await box.ok(["cleanup", "--older-than", "0s", "--state", "completed", "--yes"]);
  await box.ok(["retry", "late"]);
  await box.run(["worker", "run", "--drain"]);
  assertEquals((await box.json(["show", "both"])).state, "completed");
  assertEquals((await box.run(["enqueue", "--after", bad, "true"])).code, 4);
});
