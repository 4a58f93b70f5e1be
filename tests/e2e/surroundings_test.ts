/** What surrounds a job: environment, secrets, directory, input, limits. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

const SECRET = "hunter2-and-then-some";

/** What of a text is found in the database and in everything beside it. */
async function found(box: Sandbox, text: string): Promise<string> {
  return (await box.run(["-c", 'grep -ral -- "$1" "$0" "$0"-wal "$0".d', box.db, text], { program: "sh" })).stdout;
}

async function outputOf(box: Sandbox, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const id = await box.ok(["enqueue", "--max-retries", "0", ...args]);
  await box.run(["worker", "run", "--drain"], { env });
  return (await box.run(["output", id, "--raw"])).stdout;
}

Deno.test("--env-file sets variables; --env comes before it, and the last file counts", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/one.env`, "# comment\nA=1\nexport B='two words'\nC=3\n");
  await Deno.writeTextFile(`${box.directory}/two.env`, "C=three\n");

  const files = ["--env-file", "one.env", "--env-file", "two.env", "--env", "A=first"];
  assertEquals(await outputOf(box, [...files, 'echo "$A|$B|$C"']), "first|two words|three\n");
});

Deno.test("a bad --env-file is refused by its line, and nothing is stored", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/bad.env`, `A=1\n${SECRET}\n`);

  const bad = await box.run(["enqueue", "--env-file", "bad.env", "true"]);
  const missing = await box.run(["enqueue", "--env-file", "none.env", "true"]);

  assertEquals([bad.code, missing.code], [2, 2]);
  assertMatch(bad.stderr, /Cannot read bad\.env, line 2: expected NAME=VALUE/);
  assert(!bad.stderr.includes(SECRET));
  assertMatch(missing.stderr, /none\.env.*no such file/);
  assertEquals(await box.json(["list"]), []);
});

Deno.test("a secret comes from the worker's environment and is kept nowhere, printed whole or in halves", async () => {
  await using box = await sandbox();
  const script = `printf hunter2; sleep 0.2; printf -- '-and-then-some\\n'; echo "whole: $TOKEN" >&2; ` +
    `printf '%s' "$TOKEN" | cut -c1-5; echo "length \${#TOKEN}"`;
  const id = await box.ok(["enqueue", "--secret-env", "TOKEN", "--max-retries", "0", script]);

  await box.run(["worker", "run", "--drain", "-v"], { env: { TOKEN: SECRET } });

  const output = await box.json(["output", id]);
  assertEquals(output.stdout, `[redacted]\nhunte\nlength ${SECRET.length}\n`);
  assertEquals(output.stderr, "whole: [redacted]\n");
  assertEquals(await found(box, SECRET), "");
  assertEquals((await box.json(["show", id])).secret_env, ["TOKEN"]);
});

Deno.test("run takes secrets from the environment of the one who runs it", async () => {
  await using box = await sandbox();

  const run = await box.run(["run", "--secret-env", "TOKEN", "--", "sh", "-c", 'echo "it is $TOKEN"; exit 3'], {
    env: { TOKEN: SECRET, QUEUECTL_MAX_RETRIES: "0" },
  });

  assertEquals([run.code, run.stdout], [3, "it is [redacted]\n"]);
  assertEquals(await found(box, SECRET), "");
});

Deno.test("show tells of secrets by name, and of limits", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--secret-env", "A,B", "--memory", "512MiB", "--cpu-time", "90s", "true"]);

  const shown = await box.ok(["show", id]);

  assertMatch(shown, /^Secrets: +A, B \(from the worker\)$/m);
  assertMatch(shown, /^Limits: +memory 512MiB, CPU time 1m 30s$/m);
  await box.ok(["edit", id, "--memory", "0", "--secret-env", "C"]);
  const job = await box.json(["show", id]);
  assertEquals([job.secret_env, job.limits], [["C"], { memory: null, cpu_time: 90 }]);
});

Deno.test("a job whose secret its worker does not have is not started, and says so", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--secret-env", "TOKEN", "--max-retries", "0", "touch ran"]);

  await box.run(["worker", "run", "--drain"]);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.exit_code, job.runs[0].outcome], ["dead", 126, "not_started"]);
  assertMatch(job.reason, /secret TOKEN is not in the environment of the worker/);
  assertEquals((await box.run(["-c", "ls ran"], { program: "sh" })).code, 2);
});

Deno.test("a secret that is given with its value is refused, and not repeated", async () => {
  await using box = await sandbox();

  const refused = await box.run(["enqueue", "--secret-env", `TOKEN=${SECRET}`, "true"]);

  assertEquals(refused.code, 2);
  assert(!refused.stderr.includes(SECRET));
  assertMatch(refused.stderr, /Try: --secret-env TOKEN\n/);
});

Deno.test("what the setting redact says is kept out of the output of all jobs", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "redact", "topsecret,/pass(word)?=\\S+/i"]);

  const output = await outputOf(box, ["echo 'a topsecret b'; echo 'PASSWORD=x1 y' >&2; printf 'pass=z'"]);

  assertEquals(output, "a [redacted] b\n[redacted][redacted] y\n");
  assertEquals(await box.ok(["config", "get", "redact"]), "********");
  const bad = await box.run(["config", "set", "redact", "/(/"]);
  assertEquals(bad.code, 2);
  assertMatch(bad.stderr, /Invalid redact, entry 1: expected a regular expression: unterminated group/);
});

Deno.test("a process that a job left behind does not keep a redacted run from ending", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--secret-env", "TOKEN", "sleep 60 & echo $! > left; echo done"]);

  await box.ok(["worker", "run", "--drain"], { env: { TOKEN: SECRET } });

  assertEquals((await box.run(["output", id, "--raw"])).stdout, "done\n");
  assertEquals((await box.json(["show", id])).state, "completed");
  await box.killAll();
});

Deno.test("many jobs with secrets run at the same time", async () => {
  await using box = await sandbox();
  const wait = "until test -e go; do sleep 0.1; done; echo $TOKEN";
  const jobs = Array.from({ length: 40 }, () => JSON.stringify({ command: wait, secret_env: ["TOKEN"] }));
  await box.ok(["enqueue-batch", "-"], { stdin: jobs.join("\n") });
  const worker = await box.start(["worker", "run", "--drain", "--concurrency", "40"], { env: { TOKEN: SECRET } });
  await waitFor(async () => (await box.json(["list", "--state", "processing"])).length === 40, "all of them to run");

  await Deno.writeTextFile(`${box.directory}/go`, "");
  assertEquals((await worker.wait()).code, 0);

  for (const { id } of await box.json(["list", "--limit", "3"])) {
    assertEquals(await box.ok(["output", id, "--raw"]), "[redacted]");
  }
  assertEquals((await box.json(["list", "--state", "completed"])).length, 40);
});

Deno.test("redacted output is complete, however much it is, and kept within the limit", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "output_limit", "1MiB"]);
  const all = await box.ok(["enqueue", "--secret-env", "TOKEN", "seq 1 100000; echo $TOKEN"]);
  const much = await box.ok(["enqueue", "--secret-env", "TOKEN", "seq 1 1000000"]);

  await box.ok(["worker", "run", "--drain"], { env: { TOKEN: SECRET } });

  const expected = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("") + "[redacted]\n";
  assertEquals((await box.run(["output", all, "--stdout"])).stdout, expected);
  const { runs: [run] } = await box.json(["show", much]);
  assertEquals([run.stdout_bytes, run.dropped_bytes], [6_888_896, 6_888_896 - 1024 * 1024]);
  const kept = (await box.run(["output", much, "--stdout"])).stdout;
  assert(kept.startsWith("1\n2\n3\n") && kept.endsWith("\n999999\n1000000\n"));
});

Deno.test("--memory limits what a process may map, for commands and programs", async () => {
  await using box = await sandbox();

  assertEquals(await outputOf(box, ["--memory", "100MiB", "ulimit -v"]), "102400\n");
  assertEquals(await outputOf(box, ["--memory", "100MiB", "--", "sh", "-c", "ulimit -v"]), "102400\n");
  const id = await box.ok(["enqueue", "--memory", "64MiB", "--max-retries", "0", "head -c 200M /dev/zero | tail -n 1"]);
  await box.run(["worker", "run", "--drain"]);
  assertMatch((await box.json(["output", id])).stderr, /memory exhausted/);
});

Deno.test("--cpu-time ends a process that computes for longer", async () => {
  await using box = await sandbox();
  const id = await box.ok([
    "enqueue",
    "--cpu-time",
    "1s",
    "--max-retries",
    "0",
    "--",
    "sh",
    "-c",
    "while :; do :; done",
  ]);

  await box.run(["worker", "run", "--drain"]);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.signal, job.limits], ["dead", "SIGXCPU", { memory: null, cpu_time: 1 }]);
});

Deno.test("--umask, --nice, --cwd and --stdin reach commands and programs alike", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/sub`);
  const options = ["--umask", "027", "--nice", "5", "--cwd", "sub", "--stdin", "some input"];
  const script = "umask; nice; basename $PWD; cat";
  const expected = "0027\n5\nsub\nsome input";

  assertEquals(await outputOf(box, [...options, script]), expected);
  assertEquals(await outputOf(box, [...options, "--memory", "1GiB", "--", "sh", "-c", script]), expected);
});

Deno.test("a program that is not there is found out also behind limits", async () => {
  await using box = await sandbox();
  const id = await box.ok([
    "enqueue",
    "--memory",
    "1GiB",
    "--nice",
    "1",
    "--max-retries",
    "0",
    "--",
    "no-such-program",
  ]);

  await box.run(["worker", "run", "--drain"]);

  const { exit_code, runs: [run] } = await box.json(["show", id]);
  assertEquals([exit_code, run.outcome], [127, "not_started"]);
});

for (
  const [args, message] of [
    [["--memory", "lots"], /Invalid memory "lots": expected a size/],
    [["--memory", "1K"], /Invalid memory "1K": expected at least 1MiB/],
    [["--cpu-time", "soon"], /Invalid cpu_time "soon"/],
    [["--secret-env", "1A"], /Invalid secret_env: expected letters/],
    [["--secret-env", "A", "--env", "A=1"], /Cannot set "A" in both env and secret_env/],
  ] as const
) {
  Deno.test(`enqueue refuses ${args.join(" ")}`, async () => {
    await using box = await sandbox();

    const refused = await box.run(["enqueue", ...args, "true"]);

    assertEquals([refused.code, refused.stdout], [2, ""]);
    assertMatch(refused.stderr, message);
  });
}
