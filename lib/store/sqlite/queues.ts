/** Queues in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import { ConflictError, NotFoundError, quoted } from "../../core/errors.ts";
import type { QueueStore, WakeUp } from "../store.ts";
import type { Record } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { rateFreeAt } from "./limits.ts";
import { queueFromRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

export function sqliteQueues(
  connection: Connection,
  { sql, clock, wake, record }: { sql: Statements; clock: Clock; wake: WakeUp; record: Record },
): QueueStore {
  const missing = (name: string) => new NotFoundError(`No queue ${quoted(name)}`, { hint: "queuectl queue list" });
  const row = (name: string) => {
    const found = sql("queue").get(name);
    if (found === undefined) throw missing(name);
    return found;
  };
  return {
    list: () => connection.read("list queues", () => sql("list").all().map(queueFromRow)),
    set: async (name, change) => {
      const queue = await connection.write("set the limits of a queue", () => {
        sql("ensure").run(name, clock.now());
        const { paused, concurrency, rate, max_pending } = { ...queueFromRow(row(name)), ...change };
        sql("set_limits").run(paused ? 1 : 0, concurrency, rate?.count ?? null, rate?.ms ?? null, max_pending, name);
        if (rate === null) sql("forget_starts").run(name, Number.MAX_SAFE_INTEGER);
        record("queue set", name, JSON.stringify(change));
        return queueFromRow(row(name));
      });
      wake.poke();
      return queue;
    },
    rateFreeAt: (name) =>
      connection.read("look at a rate", () => {
        const at = rateFreeAt(sql, row(name));
        return at !== undefined && at > clock.now() ? at : undefined;
      }),
    setPaused: async (name, isPaused) => {
      await connection.write("pause or resume a queue", () => {
        if (sql("set_paused").run(isPaused ? 1 : 0, name).changes === 0) throw missing(name);
        record(isPaused ? "queue pause" : "queue resume", name);
      });
      if (!isPaused) wake.poke();
    },
    remove: async (name) => {
      await connection.write("remove a queue", () => {
        const unfinished = Number(sql("unfinished").get(name)?.n ?? 0);
        if (unfinished > 0) {
          throw new ConflictError(`Cannot remove queue ${quoted(name)}: it holds ${unfinished} unfinished jobs`, {
            hint: `queuectl queue clear ${name}`,
          });
        }
        if (sql("remove").run(name).changes === 0) throw missing(name);
        record("queue remove", name);
      });
    },
  };
}
