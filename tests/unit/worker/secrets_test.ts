import { assertEquals } from "@std/assert";
import { tempDirectory } from "../../support/temp_store.ts";
import { giveSecrets, learnSecrets, redactionFor } from "../../../lib/worker/secrets.ts";

Deno.test("the values of secrets are taken out beside what the setting says", () => {
  Deno.env.set("SECRETS_TEST", "hunter2");
  try {
    const redaction = redactionFor({ secret_env: ["SECRETS_TEST"] }, "word,/p=\\S/");

    assertEquals("kind" in redaction ? redaction : [redaction.words, redaction.patterns.length], [
      ["word", "hunter2"],
      1,
    ]);
    assertEquals(redactionFor({ secret_env: null }, "word"), { words: ["word", "hunter2"], patterns: [] });
  } finally {
    Deno.env.delete("SECRETS_TEST");
  }
});

Deno.test("an empty secret hides nothing; a missing one keeps the job from starting", () => {
  Deno.env.set("SECRETS_TEST", "");
  try {
    assertEquals(redactionFor({ secret_env: ["SECRETS_TEST"] }, ""), { words: [], patterns: [] });
  } finally {
    Deno.env.delete("SECRETS_TEST");
  }
  assertEquals(redactionFor({ secret_env: ["SECRETS_TEST"] }, ""), {
    kind: "not_started",
    code: 126,
    reason: "secret SECRETS_TEST is not in the environment of the worker",
  });
});

Deno.test("before any secret is declared, a job has only what the setting says", () => {
  assertEquals(redactionFor({ secret_env: null }, "other"), { words: ["other"], patterns: [] });
});

Deno.test("a job does not get the secrets of others, and gets its own", () => {
  learnSecrets("SECRETS_A, SECRETS_B");
  learnSecrets(["SECRETS_C"]);
  for (const nothing of [null, undefined, "", []]) learnSecrets(nothing);
  Deno.env.set("SECRETS_A", "value of a");
  try {
    const all = ["SECRETS_A", "SECRETS_B", "SECRETS_C", "OTHER"].map((name) => [name, "x"] as const);
    const env = new Map<string, string>(all);

    giveSecrets(env, { secret_env: ["SECRETS_A"] });

    assertEquals(Object.fromEntries(env), { SECRETS_A: "value of a", OTHER: "x" });
  } finally {
    Deno.env.delete("SECRETS_A");
  }
});

Deno.test("a short value is taken out of the output of its own job only", () => {
  Deno.env.set("SECRETS_SHORT", "abc");
  try {
    assertEquals(redactionFor({ secret_env: ["SECRETS_SHORT"] }, ""), { words: ["abc"], patterns: [] });
    assertEquals(redactionFor({ secret_env: null }, ""), { words: [], patterns: [] });
  } finally {
    Deno.env.delete("SECRETS_SHORT");
  }
});

Deno.test("a secret that is in no variable is read from the credentials of the service", async () => {
  await using temp = await tempDirectory();
  Deno.writeTextFileSync(`${temp.path}/SECRETS_FILE`, "first line\nsecond line\n");
  Deno.env.set("CREDENTIALS_DIRECTORY", temp.path);
  try {
    const redaction = redactionFor({ secret_env: ["SECRETS_FILE"] }, "");
    const env = new Map<string, string>();
    giveSecrets(env, { secret_env: ["SECRETS_FILE"] });

    assertEquals("kind" in redaction ? redaction : redaction.words[0], "first line\nsecond line");
    assertEquals([...env], [["SECRETS_FILE", "first line\nsecond line"]]);
    Deno.env.set("SECRETS_FILE", "of the environment");
    giveSecrets(env, { secret_env: ["SECRETS_FILE"] });
    assertEquals(env.get("SECRETS_FILE"), "of the environment");
  } finally {
    Deno.env.delete("SECRETS_FILE");
    Deno.env.delete("CREDENTIALS_DIRECTORY");
  }
});
