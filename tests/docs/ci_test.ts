/** The steps of docs/ci.md, run as GitHub and GitLab run them, with a release on a server of its own. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { makeRelease, serve } from "../install/_machine.ts";
import { fakePrograms, yamlBlock } from "../support/recipes.ts";

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Made once, for all tests. */
let release: Promise<string> | undefined;

async function releaseFolder(): Promise<string> {
  const folder = `${await Deno.makeTempDir({ prefix: "ci-" })}/release`;
  await makeRelease(folder);
  return folder;
}

/** What the checkout of a project holds: a download that fails once, and a list of tests. */
async function makeProject(box: PoolBox, tests: readonly string[]): Promise<void> {
  const fetch = `#!/bin/sh\n[ -e fetched.once ] && echo fetched && exit 0\ntouch fetched.once\nexit 1\n`;
  await Deno.writeTextFile(`${box.directory}/fetch-dependencies`, fetch, { mode: 0o755 });
  await Deno.writeTextFile(`${box.directory}/tests.txt`, tests.map((test) => `${test}\n`).join(""));
  await Deno.mkdir(`${box.home}/temp`);
}

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly if?: string;
}

/** Runs the steps as a runner does: the files of GITHUB_PATH and GITHUB_ENV are read after each step. */
async function runWorkflow(box: PoolBox) {
  const workflow = yamlBlock("ci", "yaml .github/workflows/ci.yml");
  await using server = serve(await (release ??= releaseFolder()));
  const { steps } = workflow.jobs.test as { steps: Step[] };
  const files = { GITHUB_PATH: `${box.directory}/github.path`, GITHUB_ENV: `${box.directory}/github.env` };
  for (const file of Object.values(files)) await Deno.writeTextFile(file, "");
  const ran: { name: string; code: number; stdout: string }[] = [];
  let hasFailed = false;
  for (const { name = "", run, if: condition } of steps) {
    if (run === undefined || hasFailed !== (condition === "failure()")) continue;
    const added = (await Deno.readTextFile(files.GITHUB_PATH)).split("\n").filter((line) => line !== "").reverse();
    const variables = (await Deno.readTextFile(files.GITHUB_ENV)).split("\n").filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
    const { code, stdout } = await box.run(["-e", "-c", run], {
      program: "/bin/bash",
      env: {
        ...files,
        ...workflow.env,
        QUEUECTL_BASE_URL: server.base,
        QUEUECTL_DB: undefined,
        RUNNER_TEMP: `${box.home}/temp`,
        PATH: [...added, SYSTEM_PATH].join(":"),
        ...Object.fromEntries(variables),
      },
    });
    ran.push({ name, code, stdout });
    hasFailed ||= code !== 0;
  }
  return ran;
}

Deno.test("the GitHub workflow installs, retries and runs its tests", async () => {
  await using box = await poolBox();
  await makeProject(box, ["echo one", "echo two", "echo three"]);

  const ran = await runWorkflow(box);

  assertEquals(ran.map(({ code }) => code), [0, 0, 0]);
  assertStringIncludes(ran[1]!.stdout, "fetched");
  const jobs = await box.json(["--db", `${box.home}/temp/queue.db`, "list", "--state", "completed"]);
  assertEquals(jobs.length, 4);
});

Deno.test("the GitHub workflow fails with a test that fails, and shows its output", async () => {
  await using box = await poolBox();
  await makeProject(box, ["echo one", "echo this is wrong; exit 3"]);

  const ran = await runWorkflow(box);

  assertEquals(ran.map(({ code }) => code), [0, 0, 1, 0]);
  assertStringIncludes(ran[3]!.stdout, "this is wrong\n");
});

async function runPipeline(box: PoolBox) {
  const pipeline = yamlBlock("ci", "yaml .gitlab-ci.yml");
  await using server = serve(await (release ??= releaseFolder()));
  const programs = await fakePrograms(box, { "apt-get": "exit 0" });
  const local = `${box.directory}/usr-local-bin`;
  const { before_script, script, after_script } = pipeline.test as Record<string, string[]>;
  const variables = Object.fromEntries(
    Object.entries(pipeline.variables as Record<string, string>).map(([name, value]) => [
      name,
      value.replace("$CI_PROJECT_DIR", box.directory),
    ]),
  );
  const env = {
    ...{ ...variables, QUEUECTL_BASE_URL: server.base, CI_PROJECT_DIR: box.directory },
    PATH: `${programs}:${SYSTEM_PATH.replace("/usr/local/bin", local)}`,
  };
  const shell = (lines: readonly string[]) =>
    box.run(["-e", "-c", lines.join("\n").replaceAll("/usr/local/bin", local)], { program: "/bin/sh", env });
  return { main: await shell([...before_script!, ...script!]), after: await shell(after_script!) };
}

Deno.test("the GitLab pipeline runs its tests, and its last part works in a shell of its own", async () => {
  await using box = await poolBox();
  await makeProject(box, ["true", "true"]);

  const { main, after } = await runPipeline(box);

  assertEquals([main.code, after.code], [0, 0], main.stderr + after.stderr);
  assert(await Deno.stat(`${box.directory}/.queuectl/queue.db`));
});

Deno.test("the GitLab pipeline fails with a test that fails, and lists it", async () => {
  await using box = await poolBox();
  await makeProject(box, ["true", "echo wrong && false"]);

  const { main, after } = await runPipeline(box);

  assertEquals([main.code, after.code], [1, 0]);
  assertStringIncludes(after.stdout, "echo wrong && false");
});
