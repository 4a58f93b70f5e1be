import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname!, "../..");

async function bench(...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(ROOT, "bench/main.ts"), ...args],
    cwd: ROOT,
    env: { INIT_CWD: ROOT },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("the build compared with itself gives figures of both, a ratio, the noise and a verdict for each row", async () => {
  // A path from where the person is, not from where the script is.
  const run = await bench("--quick", "--rounds", "2", "--only", "startup", "--against", "dist/queuectl", "--json");

  const result = JSON.parse(run.stdout);
  assertEquals(result.errors, []);
  assertEquals(result.this.version, result.against.version);
  assertEquals(result.not_compared, ["claim"]);
  assertEquals(result.rows.map(({ what }: { what: string }) => what), ["version", "one enqueue command"]);
  for (const row of result.rows) {
    assertEquals(row.rounds.length, 2);
    assert(row.this > 0 && row.against > 0 && row.ratio > 0 && row.noise >= 1, JSON.stringify(row));
    assert(["faster", "slower", "within noise"].includes(row.verdict), row.verdict);
  }
  assertEquals(run.code, result.rows.some(({ isBetter }: { isBetter: boolean | null }) => isBetter === false) ? 1 : 0);
});

Deno.test("something that is no queuectl binary is refused before anything is measured", async () => {
  for (const program of ["/bin/true", "/nonexistent/queuectl", "/etc/passwd", "/tmp"]) {
    const run = await bench("--quick", "--against", program);

    assertEquals(run.code, 2, run.stderr);
    assertStringIncludes(run.stderr, "--against needs a queuectl binary");
  }
});

Deno.test("a row that does not exist is refused with the nearest name and exit code 2", async () => {
  const run = await bench("--only", "spwan");

  assertEquals(run.code, 2);
  assertStringIncludes(run.stderr, 'did you mean "spawn"?');
});
