/** What was fetched once is enough: the lock is complete, and a build asks nobody. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { join } from "node:path";
import { ROOT } from "./_machine.ts";
import { tempDirectory } from "../support/temp_store.ts";

/** Refuses connections at once: nobody listens there. */
const NOWHERE = "http://127.0.0.1:1";

/** Deno and npm reach the network through these alone. */
const WITHOUT_NETWORK = {
  ...Object.fromEntries(["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [name, NOWHERE])),
  ...Object.fromEntries(["http_proxy", "https_proxy", "all_proxy"].map((name) => [name, NOWHERE])),
  NO_PROXY: "",
  no_proxy: "",
};

async function offline(args: string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stderr } = await new Deno.Command(join(ROOT, "tools/deno"), {
    args,
    cwd: ROOT,
    env: { ...WITHOUT_NETWORK, ...env },
    stdin: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("with an empty cache nothing can be fetched here, so that the other tests mean something", async () => {
  await using temp = await tempDirectory();

  assertNotEquals((await offline(["install", "--frozen"], { DENO_DIR: temp.path })).code, 0);
});

Deno.test("the lock has everything that the sources import, and the cache has everything of the lock", async () => {
  assertEquals(await offline(["install", "--quiet", "--frozen"]), { code: 0, stderr: "" });
  assertEquals(await offline(["check", "--quiet", "--frozen", "main.ts", "tools"]), { code: 0, stderr: "" });
});

Deno.test("a second build needs no network", async () => {
  await using temp = await tempDirectory();
  const output = join(temp.path, "queuectl");

  const { code, stderr } = await offline(["task", "compile", "--failpoints", "--output", output]);

  assertEquals(code, 0, stderr);
  const { success } = await new Deno.Command(output, { args: ["version"], stdout: "null" }).output();
  assertEquals(success, true);
});
