/**
 * Shows queuectl at work: `tools/deno task demo`.
 *
 * A story in a temporary directory, told by real commands and what they print.
 * Each chapter checks that what it tells has happened, so that a broken program
 * cannot give a good show: then the exit code is 1.
 * @module
 */
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname!, "..");
const BINARY = Deno.env.get("QUEUECTL_BIN") ?? join(ROOT, "dist", "queuectl");

const hasColor = Deno.stdout.isTerminal() && !Deno.noColor;
const bold = (text: string) => hasColor ? `\x1b[1m${text}\x1b[0m` : text;
const dim = (text: string) => hasColor ? `\x1b[2m${text}\x1b[0m` : text;
const cyan = (text: string) => hasColor ? `\x1b[36m${text}\x1b[0m` : text;

/** The stage: a directory, and what is on the PATH there. */
interface Stage {
  readonly directory: string;
  readonly env: Record<string, string>;
}

interface Act {
  /** Default: 0. */
  readonly code?: number;
}

async function main(): Promise<void> {
  const started = performance.now();
  const directory = await Deno.makeTempDir({ prefix: "queuectl-demo-" });
  try {
    await play(await prepared(directory));
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `\n${bold("That was queuectl")}, in ${seconds} s. The program is ${BINARY}; everything else is gone again.`,
    );
    console.log(`Go on with the README, or with ${cyan("dist/queuectl --help")}.`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Nothing of the user's own queue or settings takes part. */
async function prepared(directory: string): Promise<Stage> {
  await Deno.mkdir(join(directory, "bin"));
  await Deno.symlink(BINARY, join(directory, "bin", "queuectl"));
  return {
    directory,
    env: {
      PATH: `${join(directory, "bin")}:${Deno.env.get("PATH") ?? "/usr/bin:/bin"}`,
      HOME: directory,
      TMPDIR: directory,
      QUEUECTL_DB: join(directory, "queue.db"),
    },
  };
}

async function play(stage: Stage): Promise<void> {
  tell("1. A job is a command. Adding one prints its id; nothing runs yet.");
  const hello = await show(stage, "queuectl enqueue 'echo hello from a job'");
  await show(stage, "queuectl list");

  tell("2. A worker runs what there is. With --drain it then exits.");
  await show(stage, "queuectl worker run --drain");
  const output = await show(stage, `queuectl output ${hello}`);
  expect(output.includes("hello from a job"), "the output of the job is there");

  tell("3. Higher priority goes first; equal ones go in the order they came.");
  for (const [name, priority] of [["tidy", 0], ["report", 5], ["alarm", 10], ["backup", 5]] as const) {
    await show(stage, `queuectl enqueue --priority ${priority} 'echo ${name} >> order'`);
  }
  await show(stage, "queuectl worker run --drain --quiet");
  const order = await show(stage, "cat order");
  expect(order.split("\n").join(" ") === "alarm report backup tidy", "the order is that of the priorities");

  tell("4. What fails is tried again, a little later each time, and ends as a dead letter.");
  await show(stage, "queuectl config set max_retries 2");
  await show(stage, "queuectl enqueue --id import --backoff linear:300ms 'cat data.csv'");
  await show(stage, "queuectl worker run --drain", { code: 1 });
  await show(stage, "queuectl dlq list");
  const dead = JSON.parse(await quietly(stage, "queuectl show import --json"));
  expect(dead.state === "dead" && dead.runs.length === 3, "the job is dead after three runs");

  tell("5. Everything about it can be seen: what it said, and every run.");
  await show(stage, "queuectl output import --stderr");
  await show(stage, "queuectl show import");

  tell("6. Repair the cause, and let it run again.");
  await show(stage, "echo 'a,b,c' > data.csv");
  await show(stage, "queuectl dlq retry import");
  await show(stage, "queuectl worker run --drain --quiet");
  expect(await show(stage, "queuectl output import --stdout") === "a,b,c", "the repaired job printed the file");

  tell("7. And in the end:");
  await show(stage, "queuectl status");
  const status = JSON.parse(await quietly(stage, "queuectl status --json"));
  expect(status.jobs.completed === 6 && status.jobs.dead === 0, "all six jobs are completed");
}

function tell(sentence: string): void {
  console.log(`\n${bold(sentence)}\n`);
}

/** Runs a line of shell before the audience; returns what it wrote to stdout. */
async function show(stage: Stage, line: string, act: Act = {}): Promise<string> {
  console.log(`  ${cyan("$")} ${cyan(line)}`);
  const { stdout, stderr } = await run(stage, line, act);
  for (const text of [stderr, stdout].filter((text) => text !== "")) {
    for (const each of text.split("\n")) console.log(`    ${text === stderr ? dim(each) : each}`);
  }
  if (act.code !== undefined) console.log(dim(`    (exit code ${act.code})`));
  return stdout;
}

async function quietly(stage: Stage, line: string): Promise<string> {
  return (await run(stage, line, {})).stdout;
}

async function run({ directory, env }: Stage, line: string, act: Act): Promise<{ stdout: string; stderr: string }> {
  const result = await new Deno.Command("sh", {
    args: ["-c", line],
    cwd: directory,
    clearEnv: true,
    env,
    stdin: "null",
  })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd();
  const [stdout, stderr] = [text(result.stdout), text(result.stderr)];
  const { code = 0 } = act;
  if (result.code !== code) throw new Error(`\`${line}\` ended with ${result.code} instead of ${code}:\n${stderr}`);
  return { stdout, stderr };
}

function expect(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`The story went wrong: it is not true that ${what}`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(`demo: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}
