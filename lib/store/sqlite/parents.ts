/**
 * Dependencies of new jobs: which jobs they wait for. Jobs that are added
 * together may name each other in any order, so that a parent that is not there
 * yet is looked for again when all are.
 * @module
 */
import { ConflictError, NotFoundError, quoted, UsageError } from "../../core/errors.ts";
import type { NewJob } from "../../core/job.ts";
import { isIdPrefix } from "../../core/job_id.ts";
import { isFinal, type JobState } from "../../core/job_state.ts";
import { findJob } from "./find.ts";
import { type FollowContext, satisfy } from "./follow.ts";
import type { Statements } from "./statements.ts";

/** Jobs of a cycle that its message names. */
const MAX_SHOWN = 20;

type Needs = "completed" | "ended";

interface Parent {
  /** As written, or the whole id once it was found. */
  readonly id: string;
  readonly needs: Needs;
  /** undefined: not there yet. */
  readonly seq: number | undefined;
  readonly state: "waiting" | "satisfied";
}

export interface Parents {
  readonly all: readonly Parent[];
  readonly left: number;
  /** The job with the whole ids of its parents. */
  readonly job: NewJob;
}

/**
 * Finds the parents of a new job, as far as they are there. A job that is added alone may name them by unique
 * beginnings; among several, a name may be that of one that comes later.
 * @throws {ConflictError} when one ended otherwise than needed.
 */
export function parentsOf(sql: Statements, job: NewJob, child: { id: string; isAlone: boolean }): Parents {
  const needed = new Map<string, Parent>();
  const add = (id: string, needs: Needs) => {
    const parent = lookUp(sql, id, needs, child);
    // Who must have completed has also ended.
    if (needed.get(parent.id)?.needs !== "completed") needed.set(parent.id, parent);
    return parent.id;
  };
  const after = job.after?.map((id) => add(id, "completed")) ?? null;
  const afterAny = job.after_any?.map((id) => add(id, "ended")) ?? null;
  const all = [...needed.values()];
  return {
    all,
    left: all.filter(({ state }) => state === "waiting").length,
    job: { ...job, after, after_any: afterAny },
  };
}

function lookUp(sql: Statements, id: string, needs: Needs, child: { id: string; isAlone: boolean }): Parent {
  const exact = sql("parent_row").get(id);
  const row = exact === undefined && child.isAlone && id !== child.id && isIdPrefix(id) ? findJob(sql, id) : exact;
  if (row === undefined) return { id, needs, seq: undefined, state: "waiting" };
  const whole = String(row.id);
  return { id: whole, needs, seq: Number(row.seq), state: standing(whole, row.state as JobState, needs) };
}

function standing(id: string, state: JobState, needs: Needs): "waiting" | "satisfied" {
  if (!isFinal(state)) return "waiting";
  if (state === "completed" || needs === "ended") return "satisfied";
  throw new ConflictError(`Cannot wait for job ${quoted(id)}: already ${state}`, { hint: `queuectl show ${id}` });
}

interface Missing {
  readonly childSeq: number;
  readonly childId: string;
  readonly id: string;
  readonly needs: Needs;
}

/** Links jobs to their parents while they are inserted. */
export class ParentLinks {
  readonly #sql: Statements;
  readonly #context: FollowContext;
  readonly #missing: Missing[] = [];
  /** Number of the first new job with parents; those before it wait for none of these. */
  #first = Infinity;

  constructor(sql: Statements, context: FollowContext) {
    this.#sql = sql;
    this.#context = context;
  }

  add(childSeq: number, childId: string, parents: Pick<Parents, "all">): void {
    this.#first = Math.min(this.#first, childSeq);
    for (const { id, needs, seq, state } of parents.all) {
      if (seq === undefined) this.#missing.push({ childSeq, childId, id, needs });
      else this.#sql("insert_parent").run(childSeq, id, seq, needs, state);
    }
  }

  /**
   * All jobs are there: finds the parents that were not.
   * @throws {NotFoundError} for one that is still missing. {@throws UsageError} when jobs wait for each other.
   */
  close(): void {
    for (const missing of this.#missing) this.#link(missing);
    if (this.#missing.length > 0) this.#refuseCycles();
  }

  #link({ childSeq, childId, id, needs }: Missing): void {
    const parent = this.#sql("parent_row").get(id) ?? this.#byPrefix(id, childId);
    const seq = Number(parent.seq);
    const isSatisfied = standing(String(parent.id), parent.state as JobState, needs) === "satisfied";
    this.#sql("insert_parent").run(childSeq, String(parent.id), seq, needs, "waiting");
    if (isSatisfied) satisfy(this.#sql, childSeq, seq, this.#context);
  }

  #byPrefix(id: string, childId: string): { seq: number; id: string; state: JobState } {
    if (!isIdPrefix(id)) {
      throw new NotFoundError(`No job ${quoted(id)} for ${quoted(childId)} to wait for`, { hint: "queuectl list" });
    }
    return findJob(this.#sql, id);
  }

  /** Every cycle holds a parent that was not there when its child came, so that looking from those finds all. */
  #refuseCycles(): void {
    const newParents = (seq: number) =>
      this.#sql("parent_seqs").all(seq).map((row) => Number(row.parent_seq)).filter((parent) => parent >= this.#first);
    const done = new Set<number>();
    const onPath = new Set<number>();
    for (const { childSeq } of this.#missing) {
      if (done.has(childSeq)) continue;
      const path = [{ seq: childSeq, rest: newParents(childSeq) }];
      onPath.add(childSeq);
      for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        const next = top.rest.pop();
        if (next === undefined) {
          done.add(top.seq);
          onPath.delete(top.seq);
          path.pop();
        } else if (onPath.has(next)) {
          const seqs = path.map(({ seq }) => seq);
          throw this.#cycle([...seqs.slice(seqs.indexOf(next)), next]);
        } else if (!done.has(next)) {
          onPath.add(next);
          path.push({ seq: next, rest: newParents(next) });
        }
      }
    }
  }

  #cycle(seqs: readonly number[]): UsageError {
    const ids = seqs.map((seq) => String(this.#sql("by_seq").get(seq)?.id));
    const shown = ids.length <= MAX_SHOWN ? ids : [...ids.slice(0, MAX_SHOWN - 2), "...", ...ids.slice(-1)];
    return new UsageError(`Cannot enqueue jobs that wait for each other: ${shown.join(" -> ")}`);
  }
}
