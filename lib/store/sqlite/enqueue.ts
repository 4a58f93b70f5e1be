/**
 * Adding a few jobs: the one thing that a person waits for, so that it loads
 * nothing of what happens to jobs later.
 * @module
 */
import type { JobStore } from "../store.ts";
import { namesOf, type Record } from "./audit.ts";
import type { Changes } from "./change.ts";
import { inserter } from "./insert.ts";
import { reserve } from "./reserve.ts";
import type { Statements } from "./statements.ts";

export function sqliteEnqueue(
  { sql, record, changes }: { sql: Statements; record: Record; changes: Changes },
): JobStore["enqueue"] {
  return (jobs, options) =>
    changes.change("enqueue jobs", (context) => {
      const { insert, close } = inserter(sql, { ...options, ...context, isAlone: jobs.length === 1 });
      const inserted = jobs.map(insert);
      close();
      const added = inserted.filter(({ deduplicated }) => !deduplicated);
      if (options?.reserveFor !== undefined) reserve(sql, added, options.reserveFor);
      if (added.length > 0) record("enqueue", namesOf(added.map(({ id }) => id)));
      return inserted;
    }, "always");
}
