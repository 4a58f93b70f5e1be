/** The SQL itself: every statement can be prepared, and the busy ones walk their index. @module */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { namedQueries } from "../../lib/store/named_queries.ts";
import type { JobFilter } from "../../lib/store/mod.ts";
import type { Driver } from "../../lib/store/sqlite/driver.ts";
import { listJobs } from "../../lib/store/sqlite/list.ts";
import { queryPlan } from "../support/sqlite_database.ts";
import { tempStore } from "../support/temp_store.ts";

const FOLDER = new URL("../../lib/store/sqlite/sql/", import.meta.url);

/** Every statement, as `claim.sql: heads`. */
function allStatements(): Map<string, string> {
  const files = [...Deno.readDirSync(FOLDER)].map((entry) => entry.name).filter((name) => name.endsWith(".sql"));
  return new Map(
    files.toSorted().flatMap((file) => {
      const queries = namedQueries(Deno.readTextFileSync(new URL(file, FOLDER)));
      return [...queries].map(([name, sql]): [string, string] => [`${file}: ${name}`, sql]);
    }),
  );
}

/** What the statement that reads the counters finds: one job in each of some states. */
const COUNTS = ["pending", "failed", "dead"].map((state) => ({ queue: "default", state, n: 1 }));

/** The statements by which `list()` chooses jobs; each of those is then read by its number. */
function listStatements(filter: JobFilter): string[] {
  const seen: string[] = [];
  const driver: Pick<Driver, "prepare"> = {
    prepare(sql) {
      if (!sql.includes("job_counts") && !sql.endsWith("where seq = ?")) seen.push(sql);
      const rows = sql.includes("job_counts") ? COUNTS : [];
      return {
        get: () => undefined,
        all: () => rows,

        run: () => ({ changes: 0, lastInsertRowid: 0 }),
      };
    },
  };
  listJobs(driver as Driver, filter);
  return seen;
}

/** A walk over every job; one along an index in its own order is not meant. */
const FULL_SCAN = /^SCAN (jobs|runs|run_output|job_tags)\b(?!.* USING )/;
const SORTING = /USE TEMP B-TREE/;

Deno.test("every named statement can be prepared on a migrated database", async () => {
  await using temp = await tempStore();
  const statements = allStatements();

  assert(statements.size > 20, `only ${statements.size} statements found`);
  for (const [name, sql] of statements) {
    try {
      // Prepares it and runs nothing.
      queryPlan(temp.path, sql);
    } catch (error) {
      throw new Error(`Cannot prepare ${name}`, { cause: error });
    }
  }
});

Deno.test("no two statements of a file have the same name, and each does one thing", () => {
  for (const [name, sql] of allStatements()) {
    const withoutComments = sql.replaceAll(/--.*$/gm, "").trim();

    assert(!/;/.test(withoutComments), `${name} holds several statements`);
    assertMatch(withoutComments, /^(select|insert|update|delete|with)\b/, name);
  }
});

/** What each of these must walk, and nothing else. */
const INDEXES: Readonly<Record<string, RegExp>> = {
  "claim.sql: next_due": /USING (COVERING )?INDEX jobs_due$/,
  "claim.sql: due_priority": /USING (COVERING )?INDEX jobs_due_by_priority /,
  "claim.sql: due_of_priority": /USING (COVERING )?INDEX jobs_due_by_priority \(priority=\? AND run_at<\?\)/,
  "claim.sql: promote": /USING INTEGER PRIMARY KEY/,
  "claim.sql: heads": /USING (COVERING )?INDEX jobs_ready \(parked=\? AND queue=\?\)/,
  "claim.sql: heads_alone": /USING (COVERING )?INDEX jobs_ready \(parked=\? AND queue=\?\)/,
  "claim.sql: claim": /USING INTEGER PRIMARY KEY/,
  "claim.sql: claimed_row":
    /USING INTEGER PRIMARY KEY|INDEX dependencies_open \(parent_seq=\?\)|q USING PRIMARY KEY|SCALAR SUBQUERY/,
  "limits.sql: starts_from": /USING PRIMARY KEY \(queue=\? AND slot>\?\)/,
  "claim.sql: what_waits":
    /INDEX jobs_expiring \(expires_at>\?\)|USING INDEX jobs_due|SCAN job_counts|SCALAR SUBQUERY|CONSTANT ROW/,
  "limits.sql: expiring": /USING INDEX jobs_expiring \(expires_at>\? AND expires_at<\?\)/,
  "locks.sql: lock_holder": /USING INDEX jobs_lock_held \(lock=\?\)/,
  "locks.sql: lock_queue": /USING COVERING INDEX jobs_lock_waiting \(lock=\? AND queue>\?\)/,
  "locks.sql: lock_best": /USING COVERING INDEX jobs_lock_waiting \(lock=\? AND queue=\? AND parked=\?\)/,
  "gates.sql: next_gate": /USING COVERING INDEX jobs_gate \(queue=\? AND gate>\?\)/,
  "gates.sql: next_gated_queue": /USING COVERING INDEX jobs_gate \(queue>\?\)/,
  "gates.sql: gate_heads": /USING COVERING INDEX jobs_gate \(queue=\? AND gate=\? AND crashes=\?\)/,
  "gates.sql: gate_heads_alone": /USING COVERING INDEX jobs_gate \(queue=\? AND gate=\? AND crashes>\?\)/,
  "keys.sql: key_active": /USING INDEX jobs_key_active \(key=\?\)/,
  "keys.sql: key_waiting": /USING INDEX jobs_key_active \(key=\?\)/,
  "keys.sql: key_newest": /USING INDEX jobs_key_newest \(key=\?\)/,
  "dependencies.sql: waiting_children":
    /USING INDEX dependencies_open \(parent_seq=\? AND state=\?\)|c USING INTEGER PRIMARY KEY/,
  "dependencies.sql: parents": /USING PRIMARY KEY \(child_seq=\?\)|p USING INTEGER PRIMARY KEY/,
  "claim.sql: finish": /USING INTEGER PRIMARY KEY/,
  "claim.sql: finish_run": /USING PRIMARY KEY \(job_seq=\?\)/,
  "claim.sql: late_run": /USING PRIMARY KEY \(job_seq=\?\)/,
  "history.sql: extremes": /USING COVERING INDEX minutes_extremes \(queue=\? AND priority=\? AND minute>\?\)/,
  "history.sql: tally_before": /USING PRIMARY KEY \(queue=\? AND priority=\? AND minute<\?\)/,
  "jobs.sql: by_id": /USING INDEX jobs_id \(id=\?\)/,
  "jobs.sql: by_prefix": /USING INDEX jobs_id \(id>\? AND id<\?\)/,
  "completion.sql: newest": /USING INTEGER PRIMARY KEY \(rowid<\?\)/,
  "completion.sql: newest_of_queue": /USING INDEX jobs_by_state \(state=\? AND queue=\? AND seq<\?\)/,
  "completion.sql: ids_from": /USING INDEX jobs_id \(id>\? AND id<\?\)/,
  "completion.sql: hint": /USING INTEGER PRIMARY KEY|SCAN json_each|SCALAR SUBQUERY/,
  "completion.sql: next_tag": /USING (INDEX job_tags_by_job|PRIMARY KEY) \(tag>\?\)/,
  "completion.sql: is_tag": /USING PRIMARY KEY \(tag=\?\)/,
  "jobs.sql: runs": /USING PRIMARY KEY \(job_seq=\?\)/,
  "jobs.sql: output": /USING (INDEX sqlite_autoindex_run_output_1|PRIMARY KEY) \(job_seq=\? AND run=\?\)/,
};

for (const [name, index] of Object.entries(INDEXES)) {
  Deno.test(`${name} walks its index and sorts nothing`, async () => {
    await using temp = await tempStore();

    const plan = queryPlan(temp.path, allStatements().get(name)!);

    assertEquals(plan.filter((step) => !index.test(step)), []);
  });
}

Deno.test("no statement walks over all jobs", async () => {
  await using temp = await tempStore();

  const scanning = [...allStatements()].filter(([, sql]) =>
    queryPlan(temp.path, sql).some((step) => FULL_SCAN.test(step))
  );

  assertEquals(scanning.map(([name]) => name), []);
});

const FILTERS: readonly JobFilter[] = [
  {},
  { limit: 50 },
  { states: ["dead"], limit: 50 },
  { states: ["pending", "failed"], queues: ["default"], limit: 50 },
  { states: ["dead"], search: "x", since: 0, limit: 50 },
  { tags: ["x", "y"], limit: 50 },
];

for (const filter of FILTERS) {
  Deno.test(`list(${JSON.stringify(filter)}) walks in order of age, and sorts nothing`, async () => {
    await using temp = await tempStore();

    const statements = listStatements(filter);
    assert(statements.length > 0, "nothing is asked");
    for (const sql of statements) {
      const plan = queryPlan(temp.path, sql);

      assertEquals(plan.filter((step) => SORTING.test(step)), [], plan.join("\n"));
      if (filter.states !== undefined) {
        assertMatch(plan[0]!, /^SEARCH jobs USING (?:COVERING )?INDEX jobs_by_state \(state=\? AND queue=\?/);
      }
    }
  });
}

Deno.test("a list by tag walks the jobs with that tag, not all jobs", async () => {
  await using temp = await tempStore();

  const plan = listStatements({ tags: ["x"], limit: 50 }).flatMap((sql) => queryPlan(temp.path, sql));

  assertEquals(plan.filter((step) => FULL_SCAN.test(step)), [], plan.join("\n"));
});
