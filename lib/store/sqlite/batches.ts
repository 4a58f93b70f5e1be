/**
 * Batches: jobs that are counted together, and a job that is made when the
 * last of them is final, in the same transaction.
 * @module
 */
import { ConflictError, NotFoundError, quoted } from "../../core/errors.ts";
import type { NewJob } from "../../core/job.ts";
import { generateJobId } from "../../core/job_id.ts";
import type { JobState } from "../../core/job_state.ts";
import type { Batch, BatchStore, EnqueueOptions, WakeUp } from "../store.ts";
import type { Record as RecordAudit } from "./audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import { insertRow } from "./insert_row.ts";
import type { Statements } from "./statements.ts";

interface BatchContext {
  readonly now: number;
  readonly effects: { wakes: boolean };
}

/** A member reached a final state. */
export function batchMemberEnded(sql: Statements, name: string, context: BatchContext): void {
  const batch = sql("member_ended").get(name);
  if (batch !== undefined) endIfDone(sql, name, batch, context);
}

/** A member that was final runs again. A batch that was done stays so: its job is made once. */
export function batchMemberAgain(sql: Statements, name: string): void {
  sql("member_again").run(name);
}

/** Counts the jobs of one transaction for their batches, which are made on first use. */
export class NewMembers {
  readonly #sql: Statements;
  readonly #context: BatchContext & EnqueueOptions;
  readonly #batches = new Map<string, { count: number; readonly isNew: boolean }>();

  constructor(sql: Statements, context: BatchContext & EnqueueOptions) {
    this.#sql = sql;
    this.#context = context;
  }

  /** @throws {ConflictError} when the batch is sealed. */
  add(name: string): void {
    let batch = this.#batches.get(name);
    if (batch === undefined) {
      const before = this.#sql("batch").get(name);
      if (before?.sealed === 1) {
        throw new ConflictError(`Cannot add to batch ${quoted(name)}: it is sealed`, {
          hint: `queuectl batch show ${name}`,
        });
      }
      if (before === undefined) this.#sql("new_batch").run(name, this.#context.now);
      batch = { count: 0, isNew: before === undefined };
      this.#batches.set(name, batch);
    }
    batch.count++;
  }

  /** All jobs are there. Only the one who makes a batch knows that it is whole, and may seal it. */
  close(): void {
    const { onBatchDone, sealsBatches = false } = this.#context;
    for (const [name, { count, isNew }] of this.#batches) {
      this.#sql("add_members").run(count, name);
      if (onBatchDone !== undefined) this.#sql("set_on_done").run(JSON.stringify(onBatchDone), name);
      if (sealsBatches && isNew) this.#sql("seal_batch").run(name);
    }
  }
}

function endIfDone(sql: Statements, name: string, batch: Row, { now, effects }: BatchContext): void {
  if (batch.sealed !== 1 || batch.done_at != null || Number(batch.ended) < Number(batch.total)) return;
  const text = sql("batch").get(name)?.on_done;
  const job = text == null ? undefined : JSON.parse(String(text)) as NewJob;
  const id = job === undefined ? null : job.id ?? generateJobId();
  if (sql("batch_done").run(now, id, name).changes === 0 || job === undefined || id === null) return;
  sql("ensure").run(job.queue, now);
  insertRow(sql, job, { id, state: "pending", parked: "", runAt: null, parentsLeft: 0, now });
  effects.wakes = true;
}

/** Runs inside a write transaction. */
export function sealBatch(sql: Statements, name: string, onDone: NewJob | undefined, context: BatchContext): Batch {
  const before = sql("batch").get(name);
  if (before === undefined) throw noBatch(name);
  if (before.sealed === 1) {
    throw new ConflictError(`Cannot seal batch ${quoted(name)}: it is sealed already`, {
      hint: `queuectl batch show ${name}`,
    });
  }
  if (onDone !== undefined) sql("set_on_done").run(JSON.stringify(onDone), name);
  sql("seal_batch").run(name);
  endIfDone(sql, name, { ...before, sealed: 1 }, context);
  return batchOf(sql, name);
}

function batchOf(sql: Statements, name: string): Batch {
  const row = sql("batch").get(name);
  if (row === undefined) throw noBatch(name);
  return batchFromRow(row, sql("batch_states").all(name));
}

function noBatch(name: string): NotFoundError {
  return new NotFoundError(`No batch ${quoted(name)}`, { hint: "queuectl batch list" });
}

function batchFromRow(row: Row, states: readonly Row[]): Batch {
  const onDone = row.on_done == null ? null : JSON.parse(String(row.on_done)) as NewJob;
  return {
    name: String(row.name),
    sealed: row.sealed === 1,
    total: Number(row.total),
    ended: Number(row.ended),
    states: Object.fromEntries(states.map((each) => [String(each.state) as JobState, Number(each.n)])),
    on_done: onDone === null ? null : { command: onDone.command, argv: onDone.argv },
    done_job_id: row.done_job_id == null ? null : String(row.done_job_id),
    created_at: Number(row.created_at),
    done_at: row.done_at == null ? null : Number(row.done_at),
  };
}

export function sqliteBatches(
  connection: Connection,
  { sql, clock, wake, record }: { sql: Statements; clock: Clock; wake: WakeUp; record: RecordAudit },
): BatchStore {
  return {
    list: () =>
      connection.read(
        "list batches",
        () => sql("batches").all().map((row) => batchFromRow(row, sql("batch_states").all(String(row.name)))),
      ),
    complete: async (prefix, limit) => {
      const { completeBatches } = await import("./complete.ts");
      return await connection.read("complete batches", () => completeBatches(connection.driver, prefix, limit));
    },
    find: (name) => connection.read("find a batch", () => batchOf(sql, name)),
    seal: async (name, onDone) => {
      const effects = { wakes: false };
      const batch = await connection.write("seal a batch", () => {
        const sealed = sealBatch(sql, name, onDone, { now: clock.now(), effects });
        record("batch seal", name);
        return sealed;
      });
      if (effects.wakes) wake.poke();
      return batch;
    },
  };
}
