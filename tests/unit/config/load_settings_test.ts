import { assertEquals, assertThrows } from "@std/assert";
import { environmentName, loadSettings, type Settings } from "../../../lib/config/load_settings.ts";
import { findSetting, SETTINGS } from "../../../lib/config/settings.ts";
import { InvalidValueError } from "../../../lib/core/errors.ts";

function load(variables: Record<string, string> = {}, stored: Record<string, string> = {}): Settings {
  return loadSettings({ env: (name) => variables[name], stored: new Map(Object.entries(stored)) });
}

Deno.test("without any source every setting has its default", () => {
  const settings = load();

  for (const spec of SETTINGS) assertEquals(settings.describe(spec.key), { text: spec.default, origin: "default" });
  assertEquals(settings.values.max_retries, 3);
  assertEquals(settings.values.lease, 30_000);
  assertEquals(settings.values.shell, "/bin/sh");
});

Deno.test("the environment comes before the store, and the store before the default", () => {
  const settings = load({ QUEUECTL_LEASE: "2m" }, { lease: "1m", max_retries: "5" });

  assertEquals(settings.values.lease, 120_000);
  assertEquals(settings.describe("lease"), { text: "2m", origin: "environment" });
  assertEquals(settings.values.max_retries, 5);
  assertEquals(settings.describe("max_retries"), { text: "5", origin: "store" });
  assertEquals(settings.describe("kill_grace").origin, "default");
});

Deno.test("a value of the environment is shown in its canonical form", () => {
  assertEquals(load({ QUEUECTL_LEASE: "90" }).describe("lease"), { text: "1m30s", origin: "environment" });
});

Deno.test("an empty variable counts as not set", () => {
  assertEquals(load({ QUEUECTL_LEASE: "" }, { lease: "1m" }).describe("lease"), { text: "1m", origin: "store" });
});

Deno.test("a variable with a value that is not allowed is refused by name", () => {
  const error = assertThrows(() => load({ QUEUECTL_MAX_RETRIES: "many" }), InvalidValueError, 'max_retries "many"');

  assertEquals(error.exitCode, 2);
});

Deno.test("a stored setting that this version does not know is left alone", () => {
  assertEquals(load({}, { setting_of_tomorrow: "x" }).values.max_retries, 3);
});

Deno.test("each setting has its own variable", () => {
  assertEquals(environmentName(findSetting("max_retries").spec), "QUEUECTL_MAX_RETRIES");
  assertEquals(new Set(SETTINGS.map(environmentName)).size, SETTINGS.length);
});
