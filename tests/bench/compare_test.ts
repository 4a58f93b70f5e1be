import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join, resolve } from "node:path";
import { findProcesses } from "../../tools/test/leftovers.ts";
import { waitFor } from "../support/wait_for.ts";

const ROOT = resolve(import.meta.dirname!, "../..");

/** Runs the comparison in a folder of its own. */
async function compare(folder: string, args: readonly string[]) {
  const { code, stdout, stderr } = await started(folder, args).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

function started(folder: string, args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(ROOT, "bench/compare/main.ts"), ...args],
    env: { TMPDIR: folder, INIT_CWD: folder },
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test("a quick comparison of queuectl and xargs has all tables, and leaves nothing behind", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());

  const run = await compare(folder, ["--quick", "--only", "queuectl,xargs", "--output", "comparison.md"]);

  assertEquals(run.code, 0, run.stderr);
  const document = await Deno.readTextFile(join(folder, "comparison.md"));
  assert(/^\| xargs +\| +[\d,]+ \| +[\d,]+ \| +[\d,]+ \|$/m.test(document), document);
  for (const title of ["Jobs per second", "One enqueue", "Pickup", "Bulk enqueue", "Idle cost"]) {
    assertStringIncludes(document, `### ${title}`);
  }
  assertStringIncludes(document, "- pueue: ");
  assertStringIncludes(run.stdout, "xargs");
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["comparison.md"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a library whose packages are missing is named as not measured, and fails nothing", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());

  const run = await compare(folder, ["--quick", "--only", "bullmq", "--json"]);

  assertEquals(run.code, 0, run.stderr);
  const { measured } = JSON.parse(run.stdout);
  assertEquals(measured.figures, []);
  assertEquals(measured.notMeasured.map(({ name }: { name: string }) => name), ["bullmq"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("npm packages inside the project are refused, because they would be compiled into the program", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());

  const run = await compare(folder, ["--quick", "--only", "xargs", "--packages", join(ROOT, "tmp")]);

  assertEquals(run.code, 2);
  assertStringIncludes(run.stderr, "outside the project");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a document that has no folder to go to is refused before anything is measured", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());

  const run = await compare(folder, ["--quick", "--only", "xargs", "--output", "missing/comparison.md"]);

  assertEquals(run.code, 2);
  assertStringIncludes(run.stderr, "its folder does not exist");
  assertEquals(run.stderr.includes("preparing"), false);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an interrupted comparison ends what it started, and removes its folder", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const child = started(folder, ["--quick", "--jobs", "5000", "--only", "queuectl"]);
  const own = () => findProcesses({ marker: `HOME=${folder}/compare-`, directory: folder });
  await waitFor(() => own().some(({ command }) => command.includes("worker run")), "a worker of the comparison");

  child.kill("SIGINT");
  const { code, stderr } = await child.output();

  assertEquals(code, 130, new TextDecoder().decode(stderr));
  assertEquals(own(), []);
  assertEquals([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder, { recursive: true });
});
