/**
 * Keys: who holds one, in the sense of a scope. Nothing is kept for them but
 * the jobs themselves and two indexes, so that they cost nothing when a job is
 * claimed or ends; a write transaction is alone, so that what it finds is so.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import { type KeyScope, keyScope } from "../../core/job_key.ts";
import { canHappen, type JobState } from "../../core/job_state.ts";
import type { NewJob } from "../../core/job.ts";
import type { Row } from "./driver.ts";
import { changedFrom, follow, type FollowContext } from "./follow.ts";
import type { Statements } from "./statements.ts";

/** No job has this number. */
const NOBODY = 0;

export interface KeyHolder {
  readonly row: Row;
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
}

/** The job that stands in the way of a new one. */
export function keyHolder(sql: Statements, key: string, scope: KeyScope, now: number): KeyHolder | undefined {
  if (scope.kind !== "window") return activeHolder(sql, key, scope, NOBODY);
  const newest = holderFrom(sql("key_newest").get(key));
  return newest !== undefined && Number(newest.row.created_at) > now - scope.ms ? newest : undefined;
}

/** The job that stands in the way of running one again, which is not new. */
export function activeHolder(sql: Statements, key: string, scope: KeyScope, except: number): KeyHolder | undefined {
  return holderFrom(sql(scope.kind === "waiting" ? "key_waiting" : "key_active").get(key, except));
}

function holderFrom(row: Row | undefined): KeyHolder | undefined {
  return row && { row, seq: Number(row.seq), id: String(row.id), state: String(row.state) as JobState };
}

/** What a new job does about a held key: gives the job that stays instead of it; undefined when it may be made. */
export function meetKey(
  sql: Statements,
  job: NewJob,
  { id, context }: { id: string; context: FollowContext },
): KeyHolder | undefined {
  if (job.key === null) return undefined;
  const holder = keyHolder(sql, job.key, keyScope(job.key_scope), context.now);
  if (holder === undefined) return undefined;
  switch (job.on_conflict ?? "skip") {
    case "skip":
    case "attach":
      return holder;
    case "fail":
      throw keyHeld(job.key, holder, "enqueue");
    case "replace":
      if (!canHappen(holder.state, "replace")) throw keyHeld(job.key, holder, "replace");
      sql("cancel_waiting").run(`replaced by ${id}`, context.now, holder.seq);
      follow(sql, changedFrom(holder.row, "cancelled"), context);
      return undefined;
  }
}

export function keyHeld(key: string, holder: Pick<KeyHolder, "id" | "state">, verb: string): ConflictError {
  return new ConflictError(`Cannot ${verb}: key ${quoted(key)} is held by job ${quoted(holder.id)}, ${holder.state}`, {
    hint: `queuectl show ${holder.id}`,
  });
}
