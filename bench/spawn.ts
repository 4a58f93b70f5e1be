/**
 * No-op jobs per second of one worker, output kept, own session, rescue armed:
 * against starting the same shells with no queue at all, and against others.
 *
 * Start-up is in none of the figures: ours is from the first start to the last
 * result as the store recorded them.
 * @module
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Bench, cleanEnvironment, compare, queuectl, runProgram, timed } from "./bench.ts";
import { fill, newDatabase } from "./database.ts";
import type { Finding } from "./finding.ts";
import { compiled } from "./floor/compiled.ts";

const CONCURRENCIES = [1, 4, 8] as const;

/** Each job that waits in task-spooler holds a connection to its server, which takes 1,000 and then no more. */
const TASK_SPOOLER_JOBS = 900;

export async function spawnRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(2_000, 300);
  const reference = await compiled("bench/reference_spawn.ts");
  const hasTaskSpooler = await isInstalled("tsp");
  const findings: Finding[] = [];
  for (const c of CONCURRENCIES) {
    const against = async (
      what: string,
      floor: (jobs: number) => Promise<number>,
      { jobs = count, ...limit }: Omit<Finding["limit"], "of" | "better"> & { jobs?: number },
    ) => {
      const cost = await compare(1, { ours: () => drain(bench, jobs, c), floor: () => floor(jobs) });
      findings.push({
        what: `no-op jobs at c=${c}, against ${what}`,
        unit: "/s",
        measured: jobs * 1_000 / cost.ours,
        floor: jobs * 1_000 / cost.floor,
        limit: { of: "ratio", better: "higher", ...limit },
      });
    };
    await against("reference_spawn.ts", (jobs) => runReference(bench, reference, jobs, c), { pass: 0.8, goal: 1 });
    await against("xargs -P, no queue", (jobs) => xargs(bench, jobs, c), { goal: 0.6 });
    if (hasTaskSpooler) {
      const limit = c === 1 ? {} : { pass: 1, goal: 1.5 };
      const jobs = Math.min(count, TASK_SPOOLER_JOBS);
      await against("task-spooler, output on", (jobs) => taskSpooler(bench, jobs, c), { jobs, ...limit });
    }
  }
  return findings;
}

/** Milliseconds that one worker needs for the jobs. */
async function drain(bench: Bench, count: number, concurrency: number): Promise<number> {
  const database = await newDatabase(bench, "spawn", "full");
  const db = database.location()!;
  fill(database, { count });
  database.close();
  await queuectl(bench, db, ["worker", "run", "--concurrency", String(concurrency), "--drain"]);
  const result = new DatabaseSync(db, { readOnly: true });
  const { first, last, done } = result.prepare(
    "select min(started_at) as first, max(finished_at) as last, count(*) as done from runs where outcome = 'succeeded'",
  ).get()!;
  result.close();
  if (Number(done) !== count) throw new Error(`Only ${done} of ${count} jobs succeeded`);
  await Deno.remove(db);
  await Deno.remove(`${db}.d`, { recursive: true });
  return Number(last) - Number(first);
}

async function runReference(bench: Bench, program: string, count: number, concurrency: number): Promise<number> {
  const folder = await Deno.makeTempDir({ dir: bench.folder });
  const { success, stdout } = await new Deno.Command(program, {
    ...cleanEnvironment(bench),
    args: [folder, String(count), String(concurrency)],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("reference_spawn failed");
  await Deno.remove(folder, { recursive: true });
  return Number(new TextDecoder().decode(stdout));
}

function xargs(bench: Bench, count: number, concurrency: number): Promise<number> {
  const script = `seq ${count} | xargs -P ${concurrency} -I N sh -c true`;
  return runProgram(bench, "/bin/sh", ["-c", script]);
}

/** Filled behind a gate, then let loose, so that adding the jobs does not count. */
async function taskSpooler(bench: Bench, count: number, concurrency: number): Promise<number> {
  const folder = await Deno.makeTempDir({ dir: bench.folder });
  const gate = join(folder, "gate");
  const sh = (script: string) =>
    runProgram(bench, "/bin/sh", [
      "-c",
      `export TS_SOCKET='${folder}/socket' TMPDIR='${folder}' TS_MAXFINISHED=10 TS_SLOTS=1\n${script}`,
    ]);
  await sh(`mkfifo '${gate}'; tsp sh -c ': <"${gate}"'; for i in $(seq ${count}); do tsp sh -c true; done >/dev/null`);
  try {
    return await timed(() => sh(`tsp -S ${concurrency}; : >'${gate}'; tsp -w`));
  } finally {
    await sh("tsp -K");
    await Deno.remove(folder, { recursive: true });
  }
}

async function isInstalled(program: string): Promise<boolean> {
  const { success } = await new Deno.Command("sh", { args: ["-c", `command -v ${program} >/dev/null`] }).output();
  return success;
}
