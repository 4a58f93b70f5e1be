/**
 * A change of jobs: one transaction, then what it calls for, which is further
 * transactions for children that one could not tell, and a call to workers.
 * @module
 */
import type { Clock } from "../../core/clock.ts";
import type { WakeUp } from "../store.ts";
import type { Connection } from "./connection.ts";
import { type FollowContext, noEffects, settleSome } from "./follow.ts";
import type { Statements } from "./statements.ts";

type Wakes = "always" | "when ready";

export interface Changes {
  /** A context of this moment, for transactions that call for nothing. */
  here(): FollowContext;
  change<T>(why: string, work: (context: FollowContext) => T, wakes: Wakes): Promise<T>;
  /** As `change`, in a transaction begun by the caller: `write` of the connection, or another way to wait for its turn. */
  changeBy<T>(
    write: (work: () => T) => Promise<T>,
    work: (context: FollowContext) => T,
    wakes: Wakes,
  ): Promise<T>;
  /** Tells all children that are still to be told. Returns in how many transactions. */
  settleAll(deadAreRetried: boolean): Promise<number>;
}

export function changesOf(
  connection: Connection,
  { sql, clock, wake }: { sql: Statements; clock: Clock; wake: WakeUp },
): Changes {
  const here = (): FollowContext => ({ now: clock.now(), effects: noEffects() });
  const settleAll = async (deadAreRetried: boolean) => {
    let looked = 0;
    let after = 0;
    while (true) {
      let context = here();
      const from = after;
      const next = await connection.write(
        "settle children",
        () => settleSome(sql, from, { ...context = here(), deadAreRetried }),
      );
      if (context.effects.wakes) wake.poke();
      if (next === undefined) return looked;
      after = next;
      looked++;
      // Others have their turn, in this process and in the file.
      await new Promise((go) => setTimeout(go, 0));
    }
  };
  const changeBy: Changes["changeBy"] = async (write, work, wakes) => {
    let context = here();
    // The time is that of the transaction, not of the moment at which it began to wait for its turn.
    const result = await write(() => work(context = here()));
    // Where it is not known whether the dead get another life, their children are left to maintenance.
    const { hasUnsettled, deadAreRetried = true } = context.effects;
    if (hasUnsettled) await settleAll(deadAreRetried);
    if (wakes === "always" || context.effects.wakes) wake.poke();
    return result;
  };
  return {
    here,
    settleAll,
    changeBy,
    change: (why, work, wakes) => changeBy((attempt) => connection.write(why, attempt), work, wakes),
  };
}
