/**
 * Which job a person means: an exact id, else the one generated id that begins
 * with the text.
 * @module
 */
import { NotFoundError, quoted } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import { isIdPrefix } from "../../core/job_id.ts";
import type { Row } from "./driver.ts";
import { jobFromRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** How many candidates an ambiguous prefix names. */
const MAX_CANDIDATES = 5;

/** `sql` holds the statements of jobs.sql. @throws {NotFoundError} */
export function findJob(sql: Statements, id: string): Job {
  const exact = sql("by_id").get(id);
  if (exact !== undefined) return jobFromRow(exact);
  const found: Row[] = isIdPrefix(id) ? sql("by_prefix").all(id, MAX_CANDIDATES + 1) : [];
  const [only, another] = found;
  if (only !== undefined && another === undefined) return jobFromRow(only);
  if (only === undefined) throw new NotFoundError(`No job ${quoted(id)}`, { hint: "queuectl list" });
  const names = found.slice(0, MAX_CANDIDATES).map((row) => String(row.id)).join(", ");
  const more = found.length > MAX_CANDIDATES ? ", ..." : "";
  throw new NotFoundError(`Ambiguous job ${quoted(id)}: it could be ${names}${more}`, {
    hint: `queuectl show ${String(only.id)}`,
  });
}
