/** How a claim takes the database: at once for writing, so that no two workers can have seen the same job waiting. */
import { assertEquals } from "@std/assert";
import { changesOf } from "../../lib/store/sqlite/change.ts";
import { Connection } from "../../lib/store/sqlite/connection.ts";
import { type Driver, openDriver } from "../../lib/store/sqlite/driver.ts";
import { jobStatements } from "../../lib/store/sqlite/job_statements.ts";
import { sqliteJobs } from "../../lib/store/sqlite/jobs.ts";
import { sqliteWake } from "../../lib/store/sqlite/wake.ts";
import { aClaim, aJob } from "../support/factories.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { tempStore } from "../support/temp_store.ts";

/** A driver that writes down every statement in the order in which they run. */
function recordingDriver(path: string, ran: string[]): Driver {
  const driver = openDriver(path, { busyTimeoutMs: 0 });
  return {
    prepare(sql) {
      const statement = driver.prepare(sql);
      const noted = <T>(run: () => T): T => {
        ran.push(sql);
        return run();
      };
      return {
        get: (...values) => noted(() => statement.get(...values)),
        all: (...values) => noted(() => statement.all(...values)),
        run: (...values) => noted(() => statement.run(...values)),
      };
    },
    exec: (sql) => driver.exec(sql),
    get isTransaction() {
      return driver.isTransaction;
    },
    close: () => driver.close(),
  };
}

for (const [name, only] of [["any job", false], ["one certain job", true]] as const) {
  Deno.test(`claiming ${name} begins with an immediate transaction and ends with its commit`, async () => {
    await using temp = await tempStore();
    const job = await aJob(temp.store);
    const ran: string[] = [];
    const driver = recordingDriver(temp.path, ran);
    const connection = new Connection(driver, { path: temp.path, busyTimeoutMs: 0 });
    const [sql, clock, wake, record] = [jobStatements(driver), new FakeClock(), sqliteWake(`${temp.path}.d`), () => {}];
    const changes = changesOf(connection, { sql, clock, wake });
    const jobs = sqliteJobs(connection, { sql, clock, wake, record, changes, enqueue: temp.store.jobs.enqueue });

    const claimed = await jobs.claim(aClaim(only ? { only: job.seq } : {}));
    driver.close();

    assertEquals(claimed.map(({ id }) => id), [job.id]);
    const transaction = ran.filter((statement) => !statement.startsWith("pragma"));
    assertEquals([transaction[0], transaction.at(-1)], ["begin immediate", "commit"]);
    assertEquals(transaction.filter((statement) => /^(begin|commit|rollback)/.test(statement)).length, 2);
  });
}
