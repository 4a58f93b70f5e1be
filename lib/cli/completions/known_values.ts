/**
 * Values that are known without a store. The command table says only their
 * kind, since every start reads the table; here the kinds meet the rules.
 * @module
 */
import { FAILURE_WORDS } from "../../core/exit_rules.ts";
import { KEY_SCOPES } from "../../core/job_key.ts";
import { canHappen, FINAL_STATES, type JobState, STATES } from "../../core/job_state.ts";
import { BACKOFF_STRATEGIES } from "../../core/retry_policy.ts";
import type { Completes } from "../command.ts";

/** The values of a kind; one that ends with a colon is only the beginning of a value. undefined: the store knows them. */
export function knownValues(kind: Completes): readonly string[] | undefined {
  switch (kind) {
    case "state":
      return STATES;
    case "state:retry":
      return RETRYABLE;
    case "state:cancel":
      return CANCELLABLE;
    case "state:final":
      return FINAL_STATES;
    case "backoff":
      return BACKOFF_STRATEGIES.map((strategy) => `${strategy}:`);
    case "key-scope":
      return KEY_SCOPES;
    case "failure":
      return FAILURE_WORDS;
    default:
      return undefined;
  }
}

const RETRYABLE = STATES.filter((state) => canHappen(state, "retry"));
const CANCELLABLE = STATES.filter((state) => canHappen(state, "cancel"));
const FINAL: readonly JobState[] = FINAL_STATES;
const UNFINISHED = STATES.filter((state) => !FINAL.includes(state));

/** What a failed run leads to. People retry these; whatever else can be retried comes after them. */
const TROUBLED: readonly JobState[] = ["failed", "dead"];

/** What jobs a command can act on: groups of states, those that are most likely meant first. undefined: all jobs alike. */
export function statesFor(kind: string): readonly (readonly JobState[])[] | undefined {
  switch (kind) {
    case "job:retry":
      return [TROUBLED, RETRYABLE.filter((state) => !TROUBLED.includes(state))];
    case "job:cancel":
      return [CANCELLABLE];
    case "job:edit":
      return [UNFINISHED.filter((state) => state !== "processing")];
    case "job:dead":
      return [["dead"]];
    case "job:wait":
      return [UNFINISHED, FINAL];
    case "job:after":
      return [UNFINISHED, ["completed"]];
    default:
      return undefined;
  }
}
