/** Settings: seen, changed, given back, and where a value comes from. */
import { assertEquals, assertMatch } from "@std/assert";
import { sandbox } from "../support/binary.ts";

Deno.test("a setting is set, read and unset; its key may be written in several ways", async () => {
  await using box = await sandbox();

  assertEquals(await box.ok(["config", "get", "max_retries"]), "3");
  await box.ok(["config", "set", "max-retries", "5"]);
  assertEquals(await box.ok(["config", "get", "maxRetries"]), "5");
  await box.ok(["config", "set", "backoff_base", "1.5"]);
  assertEquals(await box.json(["config", "get", "backoff_base"]), 1.5);
  await box.ok(["config", "unset", "max_retries"]);
  assertEquals(await box.ok(["config", "get", "max_retries"]), "3");
});

Deno.test("setting prints nothing on stdout", async () => {
  await using box = await sandbox();

  const set = await box.run(["config", "set", "max_retries", "5"]);
  const quiet = await box.run(["config", "set", "max_retries", "6", "--quiet"]);

  assertEquals([set.stdout, set.stderr], ["", "max_retries = 5\n"]);
  assertEquals([quiet.stdout, quiet.stderr], ["", ""]);
});

Deno.test("with --json, set and unset print the setting as it is now", async () => {
  await using box = await sandbox();

  assertEquals(await box.json(["config", "set", "maxRetries", "5"]), { max_retries: 5 });
  assertEquals(await box.json(["config", "set", "backoff_max", "90m"]), { backoff_max: "1h30m" });
  assertEquals(await box.json(["config", "unset", "max_retries"]), { max_retries: 3 });
});

Deno.test("names that count attempts are one more than the retries", async () => {
  await using box = await sandbox();

  await box.ok(["config", "set", "max_attempts", "5"]);

  assertEquals(await box.ok(["config", "get", "max_retries"]), "4");
  assertEquals(await box.ok(["config", "get", "default_max_tries"]), "5");
});

Deno.test("config, config list and config get alone all list", async () => {
  await using box = await sandbox();

  const list = await box.ok(["config", "list"]);

  assertMatch(list, /^backoff_base +2 +\S/m);
  assertEquals(await box.ok(["config"]), list);
  assertEquals(await box.ok(["config", "get"]), list);
  assertEquals((await box.json(["config"])).max_retries, 3);
});

Deno.test("--show-origin tells environment, store and default apart", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "backoff_base", "3"]);
  const env = { QUEUECTL_MAX_RETRIES: "9" };

  const settings = await box.json(["config", "list", "--show-origin"], { env });

  assertEquals(settings.max_retries, { value: 9, origin: "environment" });
  assertEquals(settings.backoff_base, { value: 3, origin: "store" });
  assertEquals(settings.backoff_max, { value: "6h", origin: "default" });
});

Deno.test("a bad value in the environment is refused by its name", async () => {
  await using box = await sandbox();

  const { code, stderr } = await box.run(["enqueue", "true"], { env: { QUEUECTL_MAX_RETRIES: "many" } });

  assertEquals(code, 2);
  assertMatch(stderr, /^queuectl: Invalid .*max_retries.* "many": expected a whole number/i);
  assertEquals(await box.json(["list"]), []);
});

Deno.test("a word in redact that looks like a regular expression is doubted, and not repeated", async () => {
  await using box = await sandbox();

  const doubted = await box.run(["config", "set", "redact", "hunter2,tok_[a-z0-9]+"]);
  const pattern = await box.run(["config", "set", "redact", "hunter2,/tok_[a-z0-9]+/,a+b=c?"]);

  assertEquals(doubted.code, 0);
  assertMatch(doubted.stderr, /warning: redact: a word looks like a regular expression; without slashes/);
  assertEquals(doubted.stderr.includes("tok_"), false);
  assertEquals(pattern.stderr, "redact = ********\n");
});

Deno.test("a refused value of redact is not repeated, wherever it comes from", async () => {
  await using box = await sandbox();
  const env = { QUEUECTL_REDACT: "/[hunter2/" };
  const all = [
    await box.run(["-v", "config", "set", "redact", "/[hunter2/"]),
    await box.run(["--json", "config", "set", "redact", "/(hunter2)*/"]),
    await box.run(["config", "set", "redact", "word", "hunter2"]),
    await box.run(["-v", "list"], { env }),
    await box.run(["enqueue", "true"], { env }),
    await box.run(["worker", "run", "--drain"], { env }),
    await box.run(["config", "list"], { env }),
    await box.run(["-v", "enqueue", "--secret-env", "hunter2!", "true"]),
    await box.run(["enqueue", "--secret-env", "hunter2=", "true"]),
  ];
  for (const [index, { stdout, stderr }] of all.entries()) {
    assertEquals((stdout + stderr).includes("hunter2"), false, `${index}: ${stdout}${stderr}`);
  }
  assertEquals(all[0]?.code, 2);
  assertMatch(all[5]?.stderr ?? "", /Invalid redact, entry 1: expected/);
});
