/** What is not UTF-8 around a command: one sentence with the name, never a stack, a value, or a silent loss. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Ended, type Sandbox, sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** Runs a line of shell in which `$Q` is queuectl and `$B` a word with a byte that is no UTF-8. */
function shell(box: Sandbox, line: string): Promise<Ended> {
  return box.run(["-c", `B=$(printf 'hidden\\351'); ${line}`], { program: "/bin/sh", env: { Q: box.binary } });
}

/** One sentence and perhaps a hint; nothing of the value. */
function assertTold({ code, stderr }: Ended, expected: { code: number; sentence: RegExp }): void {
  assertEquals(code, expected.code, stderr);
  assertMatch(stderr, expected.sentence);
  assertEquals(stderr.trimEnd().split("\n").length <= 2, true, stderr);
  assertEquals(stderr.includes("hidden"), false, stderr);
}

for (const variable of ["QUEUECTL_DB", "QUEUECTL_TRUST_OWNER", "QUEUECTL_MAX_RETRIES"]) {
  Deno.test(`${variable} that is not UTF-8 is refused by name`, async () => {
    await using box = await sandbox();
    await box.ok(["list"]);

    const ended = await shell(box, `${variable}=$B "$Q" enqueue true`);

    assertTold(ended, {
      code: 2,
      sentence: new RegExp(`^queuectl: Environment variable "${variable}" is not valid UTF-8\n`),
    });
  });
}

Deno.test("a variable that nothing reads may hold any bytes, and so may TERM", async () => {
  await using box = await sandbox();

  const { code, stdout, stderr } = await shell(box, 'OTHER=$B TERM=$B "$Q" enqueue --id a true && TERM=$B "$Q" show b');

  assertEquals([code, stdout], [3, "a\n"], stderr);
  assertEquals(stderr, 'queuectl: No job "b"\nTry: queuectl list\n');
});

Deno.test("a worker that could not hand on a variable to its jobs does not start, whichever way", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "job", "--secret-env", "OTHER", "true"]);
  const sentence =
    /^queuectl: Environment variable "OTHER" is not valid UTF-8: jobs could not inherit it\nTry: env -u OTHER/;

  for (const command of ["worker run --drain", "worker start", "worker start --foreground"]) {
    assertTold(await shell(box, `OTHER=$B "$Q" ${command}`), { code: 2, sentence });
  }
  assertTold(await shell(box, 'OTHER=$B "$Q" run --id mine true'), { code: 125, sentence });

  assertEquals((await box.json(["show", "job"])).state, "pending");
  assertEquals((await box.run(["show", "mine"])).code, 3);
  assertEquals(await box.json(["worker", "status"]), []);
  await waitFor(() => box.processes().length === 0, "nothing of it to run");
});

Deno.test("a working directory that is not UTF-8 is told in one sentence where it is needed, and only there", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "job", "true"]);
  const inside = 'mkdir -p "$B" && cd "$B" && ';
  const sentence =
    /^queuectl: The path of the working directory is not valid UTF-8\nTry: run it from another folder\n$/;

  for (const command of ["enqueue true", "--db q.db list", "edit job --priority 3", "backup copy.db"]) {
    assertTold(await shell(box, `${inside}"$Q" ${command}`), { code: 2, sentence });
  }
  assertTold(await shell(box, `${inside}"$Q" run true`), { code: 125, sentence });
  assertEquals((await shell(box, `${inside}"$Q" list --format plain`)).code, 0);
  assertEquals((await shell(box, `${inside}"$Q" worker run --drain`)).code, 0);
  assertEquals((await box.json(["show", "job"])).state, "completed");
});

Deno.test("an argument that is not UTF-8 ends in the runtime, as SECURITY.md says, and nothing is stored", async () => {
  await using box = await sandbox();

  const { code, stderr } = await shell(box, '"$Q" enqueue "$B"');

  assertEquals(code, 101);
  assertMatch(stderr, /panicked/);
  assertEquals(await box.json(["list"]), []);
});
