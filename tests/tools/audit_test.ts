/** The check for known vulnerabilities, with a registry of the test's own. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { NOT_CHECKED, packageFrom } from "../../tools/audit.ts";
import { tempDirectory } from "../support/temp_store.ts";

const SCRIPT = new URL("../../tools/audit.ts", import.meta.url).pathname;

const LOCK = {
  version: "5",
  npm: {
    "good@1.0.0": {},
    "bad@1.0.0": {},
    "bad@2.0.0_good@1.0.0": {},
    "@scope/other@3.1.0": {},
  },
};

const ADVISORY = {
  id: 1,
  url: "https://example.org/1",
  title: "Reads too much",
  severity: "high",
  cwe: [],
  cvss: null,
};

/** Runs the tool against a registry that answers with `reply`; what it was asked for is noted. */
async function audit(reply: (body: string) => Response, lock: unknown = LOCK) {
  await using temp = await tempDirectory();
  await Deno.writeTextFile(`${temp.path}/deno.lock`, JSON.stringify(lock));
  const asked: Record<string, string[]>[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method !== "POST") return Response.json({}, { status: 404 });
    const packed = request.headers.get("content-encoding") === "gzip";
    const body = packed ? request.body!.pipeThrough(new DecompressionStream("gzip")) : request.body;
    const text = await new Response(body).text();
    if (request.url.endsWith("/bulk")) asked.push(JSON.parse(text));
    return reply(text);
  });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "--quiet", SCRIPT, "--lock", `${temp.path}/deno.lock`],
    env: {
      npm_config_registry: `http://127.0.0.1:${server.addr.port}/`,
      npm_config_cache: `${temp.path}/npm`,
      npm_config_userconfig: `${temp.path}/npmrc`,
    },
  }).output();
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr), asked };
}

Deno.test("packageFrom() reads names with a scope and versions with peers", () => {
  assertEquals(packageFrom("deno-std@1.4.0"), { name: "deno-std", version: "1.4.0" });
  assertEquals(packageFrom("@a/b@1.2.3-rc.1_c@4.0.0"), { name: "@a/b", version: "1.2.3-rc.1" });
});

Deno.test("every package of the lock is asked about, in every version", async () => {
  const { code, output, asked } = await audit(() => Response.json({}));

  assertEquals(code, 0, output);
  assertStringIncludes(output, "4 packages, none with a known vulnerability");
  const versions = Object.entries(asked[0] ?? {}).map(([name, each]) => [name, each.toSorted()]);
  assertEquals(Object.fromEntries(versions), { good: ["1.0.0"], bad: ["1.0.0", "2.0.0"], "@scope/other": ["3.1.0"] });
});

Deno.test("a known vulnerability fails, and is named with its advisory", async () => {
  const { code, output } = await audit(() => Response.json({ bad: [{ ...ADVISORY, vulnerable_versions: "<2.0.0" }] }));

  assertEquals(code, 1, output);
  assertStringIncludes(output, "bad: high: Reads too much https://example.org/1");
});

Deno.test("a vulnerability that this version no longer has is none", async () => {
  const { code, output } = await audit(() => Response.json({ bad: [{ ...ADVISORY, vulnerable_versions: "<1.0.0" }] }));

  assertEquals(code, 0, output);
});

Deno.test("a registry without a list of vulnerabilities leaves them unchecked, and that is said", async () => {
  const { code, output } = await audit(() => new Response(null, { status: 405 }));

  assertEquals(code, NOT_CHECKED, output);
  assertStringIncludes(output, "not checked for known vulnerabilities: good 1.0.0, bad 1.0.0");
  assertStringIncludes(output, "405");
});

Deno.test("a lock without packages is clean without a question, and packages from elsewhere are unchecked", async () => {
  const none = await audit(() => new Response(null, { status: 500 }), { version: "5" });
  const elsewhere = await audit(() => Response.json({}), { ...LOCK, jsr: { "@std/cli@1.0.0": {} } });

  assertEquals([none.code, none.asked], [0, []]);
  assertEquals(elsewhere.code, NOT_CHECKED);
  assertStringIncludes(elsewhere.output, "@std/cli@1.0.0: they are not from npm");
});
