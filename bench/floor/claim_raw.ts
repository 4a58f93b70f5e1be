/**
 * The statements of one claim and one result on raw `node:sqlite`: the same
 * texts in the same order, and nothing around them.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { namedQueries } from "../../lib/store/named_queries.ts";
import claimSql from "../../lib/store/sqlite/sql/claim.sql" with { type: "text" };

const WORKER = "bench";

/** Claims one job and completes it, in two transactions. */
export function rawClaimer(database: DatabaseSync): () => void {
  const queries = namedQueries(claimSql);
  const prepare = (name: string) => database.prepare(queries.get(name)!);
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");
  const nextDue = prepare("next_due");
  const openQueues = prepare("open_queues");
  const heads = prepare("heads");
  const headsAlone = prepare("heads_alone");
  const claim = prepare("claim");
  const insertRun = prepare("insert_run");
  const claimedRow = prepare("claimed_row");
  const finish = prepare("finish");
  const finishRun = prepare("finish_run");

  return () => {
    const now = Date.now();
    begin.run();
    nextDue.get();
    const queue = openQueues.all()[0]!.name!;
    const head = heads.all(queue, 1)[0]!;
    headsAlone.get(queue);
    const seq = head.seq!;
    const row = claim.get(now, WORKER, seq)!;
    const token = row.claim!;
    insertRun.run(seq, row.run_count!, row.attempts!, token, WORKER, now);
    commit.run();

    const end = Date.now();
    const reason = "exited with code 0";
    begin.run();
    const { attempts, crashes, snoozes } = claimedRow.get(seq, token)!;
    finish.run("completed", "", attempts!, crashes!, snoozes!, null, reason, 0, null, 1, end, end, seq, token);
    finishRun.run("succeeded", end, 1, 0, null, reason, 0, 0, 0, seq, token);
    commit.run();
  };
}
