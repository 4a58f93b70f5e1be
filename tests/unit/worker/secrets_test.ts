import { assertEquals } from "@std/assert";
import { redactionFor } from "../../../lib/worker/secrets.ts";

Deno.test("the values of secrets are taken out beside what the setting says", () => {
  Deno.env.set("SECRETS_TEST", "hunter2");
  try {
    const redaction = redactionFor({ secret_env: ["SECRETS_TEST"] }, "word,/p=\\S/");

    assertEquals("kind" in redaction ? redaction : [redaction.words, redaction.patterns.length], [
      ["word", "hunter2"],
      1,
    ]);
    assertEquals(redactionFor({ secret_env: null }, "word"), { words: ["word"], patterns: [] });
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
