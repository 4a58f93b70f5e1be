/**
 * The statements about jobs and what orders them, on one connection. They are
 * one set, because a single change of a job can touch its lock, its children,
 * its batch and its queue.
 * @module
 */
import type { Driver } from "./driver.ts";
import batchesSql from "./sql/batches.sql" with { type: "text" };
import claimSql from "./sql/claim.sql" with { type: "text" };
import controlSql from "./sql/control.sql" with { type: "text" };
import dependenciesSql from "./sql/dependencies.sql" with { type: "text" };
import gatesSql from "./sql/gates.sql" with { type: "text" };
import jobsSql from "./sql/jobs.sql" with { type: "text" };
import keysSql from "./sql/keys.sql" with { type: "text" };
import limitsSql from "./sql/limits.sql" with { type: "text" };
import locksSql from "./sql/locks.sql" with { type: "text" };
import queuesSql from "./sql/queues.sql" with { type: "text" };
import reserveSql from "./sql/reserve.sql" with { type: "text" };
import { type Statements, statements } from "./statements.ts";

export function jobStatements(driver: Driver): Statements {
  return statements(
    driver,
    // Read in this order, until a name is found: what `enqueue` needs comes first.
    jobsSql,
    queuesSql,
    claimSql,
    controlSql,
    limitsSql,
    locksSql,
    gatesSql,
    keysSql,
    dependenciesSql,
    batchesSql,
    reserveSql,
  );
}
