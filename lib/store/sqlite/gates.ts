/**
 * Gates: what must be true on a worker's host before a job begins there.
 *
 * A job is judged when it comes to the head of the ready index, so that one
 * whose gate is open runs at once; else it is parked at its gate. It stays
 * there untouched until a worker that sees the gate open claims it from there.
 * So a closed gate costs one look at it, however many jobs wait behind it, and
 * a gate that is open on one host and closed on another moves no job between
 * the two. Who looks when is for the workers (`lib/worker/gate_watch.ts`).
 * @module
 */
import type { GateVerdict } from "../../core/gate.ts";
import type { ClaimRequest, GateWalk, GateWalkRequest, WaitingGate } from "../store.ts";
import type { Row } from "./driver.ts";
import type { Statements } from "./statements.ts";

/** A claim within which a gate has one verdict: else one that closes meanwhile would be met again and again. */
export interface JudgedRequest extends ClaimRequest {
  readonly judgeGate: (gate: string) => GateVerdict;
  /** Those that are open. */
  readonly openGates: readonly WaitingGate[];
}

const UNSEEN: GateVerdict = { isOpen: false, seen: "its worker cannot look at gates" };

export function judgedOnce(request: ClaimRequest): JudgedRequest {
  const verdicts = new Map<string, GateVerdict>();
  const judgeGate = (gate: string) => {
    let verdict = verdicts.get(gate);
    if (verdict === undefined) verdicts.set(gate, verdict = request.judgeGate?.(gate) ?? UNSEEN);
    return verdict;
  };
  return { ...request, judgeGate, openGates: (request.openGates ?? []).filter(({ gate }) => judgeGate(gate).isOpen) };
}

/** The gates at which jobs of open queues wait, by queue and text. Its cost is that of `limit` steps in an index. */
export function waitingGates(sql: Statements, { queues, after, limit }: GateWalkRequest): GateWalk {
  const gates: WaitingGate[] = [];
  let queue: { readonly name: string; readonly isServed: boolean } | undefined;
  let last = after;
  for (let steps = 0; steps < limit; steps++) {
    const next = nextGate(sql, last, queue?.isServed === false);
    if (next === undefined) return { gates, next: undefined };
    if (queue?.name !== next.queue) {
      const isServed = (queues?.includes(next.queue) ?? true) && sql("open_queue").get(next.queue) !== undefined;
      queue = { name: next.queue, isServed };
    }
    if (queue.isServed) gates.push(next);
    last = next;
  }
  return { gates, next: last };
}

function nextGate(sql: Statements, last: WaitingGate | undefined, leavesQueue: boolean): WaitingGate | undefined {
  const row = (last === undefined || leavesQueue ? undefined : sql("next_gate").get(last.queue, last.gate)) ??
    sql("next_gated_queue").get(last?.queue ?? "");
  return row && { queue: String(row.queue), gate: String(row.gate) };
}

/** The best jobs of a queue at one of its gates. */
export function headsAtGate(sql: Statements, { queue, gate }: WaitingGate, limit: number): Row[] {
  return sql("gate_heads").all(queue, gate, limit);
}

/** A job at a gate that needs a worker for itself. */
export function aloneAtGate(sql: Statements, { queue, gate }: WaitingGate): Row | undefined {
  return sql("gate_heads_alone").get(queue, gate);
}
