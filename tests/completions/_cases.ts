/**
 * What every shell must offer, tried in each of them. How a shell shows the
 * part before `=` or a comma differs, so that only the values are compared.
 * @module
 */
import { assertArrayIncludes, assertEquals } from "@std/assert";
import { STATES } from "../../lib/core/job_state.ts";
import { CompletionShell } from "./_shells.ts";

type Shell = "bash" | "zsh" | "fish";

export function describeCompletion(shell: Shell): void {
  function test(sentence: string, body: (line: CompletionShell) => Promise<void>): void {
    Deno.test(`${shell} ${sentence}`, async () => {
      await using line = await CompletionShell.open(shell);
      await body(line);
    });
  }

  /** The value at the end of `--flag=a,value`. */
  const values = (words: readonly string[]) => words.map((word) => word.replace(/^.*[=,]/, "")).sort();

  test("finds no fault with the syntax of its script", async (line) => {
    await line.run(shell, "-n", line.script);
  });

  test("offers the commands, and not the hidden one", async (line) => {
    const words = await line.words("queuectl ");

    assertArrayIncludes(words, ["config", "enqueue", "help", "list", "worker"]);
    assertEquals(words.includes("__complete"), false);
  });

  test("completes a command and its subcommand", async (line) => {
    assertEquals(await line.words("queuectl enq"), ["enqueue", "enqueue-batch"]);
    assertEquals(await line.words("queuectl worker r").then((words) => words.includes("run")), true);
    assertArrayIncludes(await line.words("queuectl config "), ["get", "list", "set", "unset"]);
  });

  test("completes commands behind global options", async (line) => {
    assertEquals(await line.words("queuectl --json --db x.db enq"), ["enqueue", "enqueue-batch"]);
    assertArrayIncludes(await line.words("queuectl config --json g"), ["get"]);
  });

  test("completes job show as show", async (line) => {
    assertArrayIncludes(await line.words("queuectl job sh"), ["show"]);
    assertArrayIncludes(await line.words("queuectl job show --comp"), ["--compat"]);
  });

  test("offers the flags of the command and the global ones", async (line) => {
    const words = await line.words("queuectl list --");

    assertArrayIncludes(words, ["--state", "--limit", "--json", "--db"]);
    assertEquals(words.includes("--priority"), false);
  });

  test("offers the choices of a flag, also behind =", async (line) => {
    assertEquals(await line.words("queuectl --format n"), ["ndjson"]);
    assertEquals(values(await line.words("queuectl list --format=n")), ["ndjson"]);
  });

  test("offers states, also behind a comma", async (line) => {
    assertEquals(await line.words("queuectl list --state "), [...STATES].sort());
    assertEquals(values(await line.words("queuectl list --state dead,p")), ["pending", "processing"]);
  });

  test("does not take the value of a flag for a command", async (line) => {
    assertArrayIncludes(await line.words("queuectl --db enqueue lis"), ["list"]);
  });

  test("offers files for --db and nothing for a number", async (line) => {
    await Deno.writeTextFile(`${line.directory}/afile.db`, "");

    assertEquals(await line.words("queuectl --db afi"), ["afile.db"]);
    assertEquals(await line.words("queuectl enqueue --priority "), []);
  });

  test("offers the choices of an argument, and topics of help", async (line) => {
    assertEquals(await line.words("queuectl completions "), ["bash", "fish", "zsh"]);
    assertArrayIncludes(await line.words("queuectl help config "), ["get", "set"]);
  });

  test("offers programs and files behind --", async (line) => {
    await Deno.writeTextFile(`${line.directory}/afile.txt`, "");

    assertArrayIncludes(await line.words("queuectl enqueue --priority 3 -- mkdi"), ["mkdir"]);
    assertArrayIncludes(await line.words("queuectl enqueue -- cat afi"), ["afile.txt"]);
  });

  test("offers settings", async (line) => {
    assertEquals(await line.words("queuectl config get max_ret"), ["max_retries"]);
  });

  test("offers job ids, queues and tags of the database, and of the one that --db names", async (line) => {
    await line.run("queuectl", "enqueue", "--id", "nightly-report", "--queue", "mail", "--tag", "weekly", "true");
    await line.run("queuectl", "--db", `${line.directory}/other.db`, "enqueue", "--id", "night-owl", "true");

    assertEquals(await line.words("queuectl show night"), ["nightly-report"]);
    assertEquals(await line.words(`queuectl --db ${line.directory}/other.db show night`), ["night-owl"]);
    assertArrayIncludes(await line.words("queuectl list --queue ma"), ["mail"]);
    assertArrayIncludes(await line.words("queuectl list --tag we"), ["weekly"]);
  });

  test("offers nothing, silently, where there is no database", async (line) => {
    assertEquals(await line.words("queuectl --db missing.db show ni"), []);

    const files = await Array.fromAsync(Deno.readDir(line.directory), (entry) => entry.name);
    assertEquals(files.filter((name) => name.startsWith("missing")), []);
  });
}
