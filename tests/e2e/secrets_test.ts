/** Secrets of a worker: who gets them, and where their values are not. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

const SECRET = "topsecret-value-1";

/** All ways in which a job may print the value in its variable. */
const PRINT = [
  'printf "out:%s\\n" "$APITOK"',
  'printf "err:%s\\n" "$APITOK" >&2',
  'printf "%.5s" "$APITOK"; sleep 0.1; printf "%s\\r\\n" "${APITOK#?????}"',
  'printf "\\000%s\\000" "$APITOK"',
  'printf "%65530s%s" "" "$APITOK"',
].join("; ");

/** Files of the database and its folder in which the value is. */
async function filesWithSecret(box: Sandbox): Promise<string> {
  const script = 'grep -rlF -- "$0" "$QUEUECTL_DB"*; true';
  return (await box.run(["-c", script, SECRET], { program: "/bin/sh" })).stdout;
}

Deno.test("a name of the setting secret_env is kept from jobs that do not ask for it, and its value from all output", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "secret_env", "APITOK, OTHER"]);
  await box.ok(["enqueue", "--id", "undeclared", `echo "<\${APITOK-none}>"; ${PRINT}`]);
  await box.ok(["enqueue", "--id", "declared", "--secret-env", "APITOK", `echo "<\${#APITOK}>"; ${PRINT}`]);
  // It finds the value all the same: it is the same user.
  await box.ok(["enqueue", "--id", "thief", `tr '\\0' '\\n' </proc/$PPID/environ | grep APITOK`]);

  await box.ok(["worker", "run", "--drain"], { env: { APITOK: SECRET } });

  const output = async (id: string) => (await box.run(["output", id, "--raw"])).stdout.split("\n")[0];
  assertEquals(await output("undeclared"), "<none>");
  assertEquals(await output("declared"), `<${SECRET.length}>`);
  assertEquals(await output("thief"), "APITOK=[redacted]");
  assertEquals(await filesWithSecret(box), "");
});

Deno.test("names that templates and earlier jobs declare are kept from other jobs of the worker", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "upload", "--secret-env", "FROMTEMPLATE", "true"]);
  await box.ok(["enqueue", "--secret-env", "APITOK", "true"]);
  await box.ok(["enqueue", "--id", "other", "echo ${APITOK-none} ${FROMTEMPLATE-none} $PLAIN"]);

  const env = { APITOK: SECRET, FROMTEMPLATE: `${SECRET}-2`, PLAIN: "plain" };
  await box.ok(["worker", "run", "--drain"], { env });

  assertEquals(await box.ok(["output", "other", "--raw"]), "none none plain");
});

Deno.test("a secret may come from a file of the service manager, in no environment but the job's", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.home}/credentials`);
  await Deno.writeTextFile(`${box.home}/credentials/APITOK`, `${SECRET}\n`, { mode: 0o400 });
  await box.ok(["enqueue", "--id", "declared", "--secret-env", "APITOK", `echo "\${#APITOK}"; ${PRINT}`]);
  await box.ok(["enqueue", "--id", "missing", "--max-retries", "0", "--secret-env", "NOFILE", "true"]);

  await box.run(["worker", "run", "--drain"], { env: { CREDENTIALS_DIRECTORY: `${box.home}/credentials` } });

  assertEquals((await box.ok(["output", "declared", "--raw"])).split("\n")[0], String(SECRET.length));
  assertMatch((await box.json(["show", "missing"])).reason, /secret NOFILE is not in the environment of the worker/);
  assertEquals(await filesWithSecret(box), "");
});

Deno.test("a secret may come from a file that the job names; only the path is stored", async () => {
  await using box = await sandbox();
  const file = `${box.home}/my, token`;
  await Deno.writeTextFile(file, "not the value yet\n", { mode: 0o600 });
  await box.ok(["enqueue", "--id", "declared", "--secret-file", `APITOK=${file}`, `echo "\${#APITOK}"; ${PRINT}`]);
  await box.ok(["enqueue", "--id", "other", `echo "<\${APITOK-none}>"; cat "$HOME/my, token"`]);
  await box.ok(["enqueue", "--id", "relative", "--secret-file", "FILE_B=b", 'echo "$FILE_B"'], { cwd: box.home });
  await box.ok(["enqueue", "--id", "device", "--max-retries", "0", "--secret-file", "FILE_C=/dev/zero", "true"]);
  await Deno.writeTextFile(file, `${SECRET}\n`);
  await Deno.writeTextFile(`${box.home}/b`, "value of b");

  await box.run(["worker", "run", "--drain"], { env: { APITOK: "of the worker" } });

  const lines = async (id: string) => (await box.ok(["output", id, "--raw"])).split("\n");
  assertEquals((await lines("declared"))[0], String(SECRET.length));
  assertEquals(await lines("other"), ["<none>", "[redacted]"]);
  assertEquals(await lines("relative"), ["[redacted]"]);
  assertMatch((await box.json(["show", "device"])).reason, /secret FILE_C cannot be read from "\/dev\/zero"/);
  assertEquals((await box.json(["show", "declared"])).secret_env, [`APITOK@${file}`]);
  assertEquals(await filesWithSecret(box), "");
  const refused = await box.run(["enqueue", "--secret-file", "hunter2", "true"]);
  assertEquals([refused.code, refused.stderr.includes("hunter2")], [2, false]);
});

Deno.test("the setting secret_env takes names alone, and does not repeat what is none", async () => {
  await using box = await sandbox();
  assertEquals((await box.run(["config", "set", "secret_env", " A,B , A"])).stderr, "secret_env = A,B\n");

  const refused = await box.run(["config", "set", "secret_env", "A,hunter2!"]);

  assertEquals([refused.code, refused.stderr.includes("hunter2")], [2, false]);
  assertEquals(await box.ok(["config", "get", "secret_env"]), "A,B");
});
