/**
 * A binary that is compared, driven by its commands alone.
 *
 * Each binary makes its databases itself: another version may have another
 * schema, so that the store of this source tree must not touch them.
 * @module
 */
import { type Bench, cleanEnvironment, runProgram } from "../bench.ts";
import { newPath } from "../database.ts";

/** A worker or a pool that runs beside the measurement. */
export interface Running {
  readonly pid: number;
  /** TERM, and its end. */
  stop(): Promise<void>;
}

export class Subject {
  readonly #bench: Bench;
  readonly binary: string;

  constructor(bench: Bench, binary: string) {
    this.#bench = bench;
    this.binary = binary;
  }

  /** Where a new database may be made. */
  newDb(name: string): string {
    return newPath(this.#bench, `against-${name}`);
  }

  /** Removes a database and what belongs to it. */
  async remove(db: string): Promise<void> {
    for (const path of [db, `${db}-wal`, `${db}-shm`, `${db}.d`]) {
      await Deno.remove(path, { recursive: true }).catch((error) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      });
    }
  }

  /** Runs a command that has to succeed. Returns the milliseconds it took. */
  run(db: string, args: readonly string[]): Promise<number> {
    return runProgram(this.#bench, this.binary, ["--db", db, ...args]);
  }

  /** The standard output of a command that has to succeed. */
  async output(db: string, args: readonly string[]): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command(this.binary, {
      ...cleanEnvironment(this.#bench),
      args: ["--db", db, ...args],
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    if (!success) throw new Error(`\`queuectl ${args.join(" ")}\` failed: ${text(stderr).trim()}`);
    return text(stdout);
  }

  /** Enqueues jobs, one for each object. */
  async fill(db: string, jobs: Iterable<Readonly<Record<string, unknown>>>): Promise<void> {
    const file = this.newDb("jobs");
    await Deno.writeTextFile(file, [...jobs].map((job) => `${JSON.stringify(job)}\n`).join(""));
    await this.run(db, ["enqueue-batch", "--quiet", file]);
    await Deno.remove(file);
  }

  start(db: string, args: readonly string[]): Running {
    const child = new Deno.Command(this.binary, {
      ...cleanEnvironment(this.#bench),
      args: ["--db", db, ...args],
      stdout: "null",
      stderr: "null",
    }).spawn();
    return {
      pid: child.pid,
      async stop() {
        child.kill("SIGTERM");
        await child.status;
      },
    };
  }

  /** Jobs per second from the first start to the last end of the completed jobs with this tag. */
  async rate(db: string, tag: string, expected: number): Promise<number> {
    const listed = await this.output(db, ["list", "--json", "--limit", "0", "--state", "completed", "--tag", tag]);
    const jobs: { started_at: string; finished_at: string }[] = JSON.parse(listed);
    if (jobs.length !== expected) throw new Error(`Only ${jobs.length} of ${expected} jobs completed`);
    const first = Math.min(...jobs.map((job) => Date.parse(job.started_at)));
    const last = Math.max(...jobs.map((job) => Date.parse(job.finished_at)));
    return expected * 1_000 / (last - first);
  }
}
