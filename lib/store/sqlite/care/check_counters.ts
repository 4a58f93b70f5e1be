/** Whether the counters of jobs by queue and state say what counting says. @module */
import type { Check } from "../../care.ts";
import type { Driver } from "../driver.ts";

const COUNTED = "select queue, state, count(*) as n from jobs group by queue, state";

const DIFFERENCES = `
  select coalesce(c.queue, k.queue) as queue, coalesce(c.state, k.state) as state, coalesce(k.n, 0) as kept, coalesce(c.n, 0) as counted
  from (${COUNTED}) c full join (select queue, state, n from job_counts where n <> 0) k on k.queue = c.queue and k.state = c.state
  where coalesce(k.n, 0) <> coalesce(c.n, 0)
`;

/** `write` runs its work in a transaction that can change the database; undefined when nothing is to be mended. */
export function checkCounters(driver: Driver, write: ((work: (driver: Driver) => void) => void) | undefined): Check {
  const name = "counters";
  const wrong = driver.prepare(DIFFERENCES).all();
  if (wrong.length === 0) return { name, status: "ok", message: "The counters of jobs are right" };
  const [first] = wrong;
  const message = `${wrong.length} counters are wrong: of queue ${first?.queue}, ${first?.kept} jobs are said to be ` +
    `${first?.state} and ${first?.counted} are`;
  if (write === undefined) return { name, status: "error", message, fix: "queuectl doctor --fix counts anew" };
  write((target) => {
    for (const row of target.prepare(DIFFERENCES).all()) {
      target.prepare(
        "insert into job_counts (queue, state, n) values (?1, ?2, ?3) on conflict (queue, state) do update set n = ?3",
      ).run(row.queue ?? null, row.state ?? null, row.counted ?? null);
    }
  });
  return { name, status: "ok", message: `${message}; counted anew`, isFixed: true };
}
