/**
 * Which jobs may be retried: not those whose key another job holds, and not
 * those whose parent ended otherwise than needed, unless that parent is retried
 * with them.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import { keyScope } from "../../core/job_key.ts";
import { isFinal, type JobState } from "../../core/job_state.ts";
import type { Row } from "./driver.ts";
import { activeHolder, keyHeld } from "./keys.ts";
import { optionsFromText } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** More ids than this are no command line that anybody would paste. */
const MAX_HINTED = 20;

/** All of them. @throws {ConflictError} for the first that may not. */
export function allRetried(sql: Statements, rows: readonly Row[]): readonly Row[] {
  const together = new Set(rows.map((row) => Number(row.seq)));
  const keys = new Map<string, Row>();
  for (const row of rows) {
    const trouble = keyTrouble(sql, row, keys);
    if (trouble !== undefined) throw trouble;
    const parent = hopelessParent(sql, row, together);
    if (parent !== undefined) throw parentTrouble(sql, row, { parent, rows });
  }
  return rows;
}

/** Those that may. One that stays behind holds back those that need it. */
export function thoseRetried(sql: Statements, rows: readonly Row[]): readonly Row[] {
  const keys = new Map<string, Row>();
  let allowed = rows.filter((row) => keyTrouble(sql, row, keys) === undefined);
  while (true) {
    const together = new Set(allowed.map((row) => Number(row.seq)));
    const next = allowed.filter((row) => hopelessParent(sql, row, together) === undefined);
    if (next.length === allowed.length) return allowed;
    allowed = next;
  }
}

/** `keys` are those that jobs retried with it will hold. */
function keyTrouble(sql: Statements, row: Row, keys: Map<string, Row>): ConflictError | undefined {
  if (row.key == null || !isFinal(row.state as JobState)) return undefined;
  const key = String(row.key);
  const scope = keyScope(optionsFromText(String(row.options)).key_scope);
  const earlier = keys.get(key);
  const holder = earlier === undefined
    ? activeHolder(sql, key, scope, Number(row.seq))
    : { id: String(earlier.id), state: "pending" as const };
  if (holder !== undefined) return keyHeld(key, holder, `retry job ${quoted(String(row.id))}`);
  keys.set(key, row);
  return undefined;
}

/** A parent because of which it would wait for ever. */
function hopelessParent(sql: Statements, row: Row, together: ReadonlySet<number>): Row | undefined {
  if (!isFinal(row.state as JobState)) return undefined;
  return sql("parents").all(Number(row.seq)).find((parent) =>
    !together.has(Number(parent.parent_seq)) && isHopeless(parent)
  );
}

function parentTrouble(
  sql: Statements,
  row: Row,
  { parent, rows }: { parent: Row; rows: readonly Row[] },
): ConflictError {
  const state = parent.parent_state == null ? "gone" : String(parent.parent_state);
  const message = `Cannot retry job ${quoted(String(row.id))}: its parent ${
    quoted(String(parent.parent_id))
  } is ${state}`;
  return new ConflictError(message, { hint: hintFor(sql, rows) });
}

/** The command line that retries these with all that they need; undefined when something of that is gone, or too much. */
function hintFor(sql: Statements, rows: readonly Row[]): string | undefined {
  const named = new Set(rows.map((row) => Number(row.seq)));
  const needed = new Map<number, string>();
  const open = rows.filter((row) => isFinal(row.state as JobState)).map((row) => Number(row.seq));
  for (let seq = open.pop(); seq !== undefined; seq = open.pop()) {
    for (const parent of sql("parents").all(seq)) {
      const parentSeq = Number(parent.parent_seq);
      if (!isHopeless(parent) || named.has(parentSeq) || needed.has(parentSeq)) continue;
      if (parent.parent_state == null || needed.size + rows.length >= MAX_HINTED) return undefined;
      needed.set(parentSeq, String(parent.parent_id));
      open.push(parentSeq);
    }
  }
  const earlier = [...needed].toSorted(([a], [b]) => a - b).map(([, id]) => id);
  return `queuectl retry ${[...earlier, ...rows.map((row) => String(row.id))].join(" ")}`;
}

/** Not satisfied, and it never will be by itself. */
function isHopeless(parent: Row): boolean {
  if (parent.state === "satisfied") return false;
  if (parent.parent_state == null) return true;
  return parent.needs === "completed" && (parent.parent_state === "dead" || parent.parent_state === "cancelled");
}

/**
 * Looks at the parents of a job that is about to be retried: what was not
 * satisfied is waited for again. Gives how many it waits for.
 */
export function waitForParents(sql: Statements, seq: number): number {
  let left = 0;
  for (const parent of sql("parents").all(seq)) {
    if (parent.state === "satisfied") continue;
    const isMet = parent.parent_state === "completed" ||
      (parent.needs === "ended" && isFinal(parent.parent_state as JobState));
    if (!isMet) left++;
    sql("set_parent_state").run(isMet ? "satisfied" : "waiting", seq, Number(parent.parent_seq));
  }
  return left;
}
