/**
 * A database that several processes find new at the same time: whichever of them creates the schema, the others must
 * see a database of ours, before and after.
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { NotFoundError } from "../../lib/core/errors.ts";
import { careOf } from "../../lib/store/mod.ts";
import { Connection } from "../../lib/store/sqlite/connection.ts";
import { type Driver, openDriver } from "../../lib/store/sqlite/driver.ts";
import { APPLICATION_ID, migrate, SCHEMA_VERSION, schemaState } from "../../lib/store/sqlite/migrate.ts";
import initialSchema from "../../lib/store/sqlite/migrations/001_initial.sql" with { type: "text" };
import { execute, integrity, query } from "../support/sqlite_database.ts";
import { runClients } from "../support/store_clients.ts";
import { tempDirectory } from "../support/temp_store.ts";

/** More statements than looking at the schema and migrating take, so that every gap between two has its turn. */
const MOST_STATEMENTS = 12;

/** Each client opens this many new databases in a row, so that one start of a process is worth many tries. */
const DATABASES = 40;

/** A file in WAL mode without a table: how another process leaves it for a moment on its first open. */
function newDatabase(path: string): void {
  execute(path, "pragma journal_mode = wal");
}

/** What another process does at its first open. */
function createSchema(path: string): void {
  execute(
    path,
    `begin immediate; ${initialSchema}; pragma application_id = ${APPLICATION_ID};
     pragma user_version = ${SCHEMA_VERSION}; commit`,
  );
}

/** A driver that calls `interfere` just before its statement number `turn`, counted from 0, runs. */
function interruptedDriver(path: string, turn: number, interfere: () => void): Driver {
  const driver = openDriver(path, { busyTimeoutMs: 0 });
  let statements = 0;
  const counted = <T>(run: () => T): T => {
    if (statements++ === turn) interfere();
    return run();
  };
  return {
    prepare(sql) {
      const statement = driver.prepare(sql);
      return {
        get: (...values) => counted(() => statement.get(...values)),
        all: (...values) => counted(() => statement.all(...values)),
        run: (...values) => counted(() => statement.run(...values)),
      };
    },
    exec: (sql) => driver.exec(sql),
    get isTransaction() {
      return driver.isTransaction;
    },
    close: () => driver.close(),
  };
}

Deno.test("the schema is new or current, and never foreign, whenever another process creates it meanwhile", async () => {
  await using temp = await tempDirectory();
  const states: string[] = [];
  for (let turn = 0; turn < MOST_STATEMENTS; turn++) {
    const path = `${temp.path}/${turn}.db`;
    newDatabase(path);
    const driver = interruptedDriver(path, turn, () => createSchema(path));

    states.push(schemaState(driver, path));

    assertEquals(driver.isTransaction, false);
    driver.close();
  }

  assertEquals([...new Set(states)].toSorted(), ["current", "new"]);
});

Deno.test("migrating ends well whenever another process creates the schema meanwhile", async () => {
  await using temp = await tempDirectory();
  let interruptions = 0;
  for (let turn = 0; turn < MOST_STATEMENTS; turn++) {
    const path = `${temp.path}/${turn}.db`;
    newDatabase(path);
    const driver = interruptedDriver(path, turn, () => {
      // Under the write lock of `migrate` the other process waits.
      if (driver.isTransaction && isLocked(path)) return;
      createSchema(path);
      interruptions++;
    });

    await migrate(new Connection(driver, { path, busyTimeoutMs: 0 }));

    driver.close();
    assertEquals(query(path, "pragma user_version").map((row) => row.user_version), [SCHEMA_VERSION]);
    assertEquals(integrity(path), "ok");
  }

  // Before and between the reads of the first look, and between that and the lock.
  assert(interruptions > 3, `only ${interruptions} interruptions`);
});

function isLocked(path: string): boolean {
  try {
    execute(path, "begin immediate; rollback");
    return false;
  } catch {
    return true;
  }
}

Deno.test("a database that has no schema yet is empty to those who take care of it, and not broken", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/queue.db`;
  newDatabase(path);
  const care = await careOf(path);

  const checks = await care.examine({ fix: false, now: Date.now() });

  assertEquals(checks.filter(({ status }) => status === "error"), []);
  assertEquals(checks.at(-1)?.message, `${path} is empty: the first job makes a database of it`);
  await assertRejects(() => care.backup(`${temp.path}/copy.db`, { replace: false }), NotFoundError, "it is empty");
  assertEquals(query(path, "select * from sqlite_schema"), []);
});

Deno.test("many new databases that a crowd opens, reads, examines and copies at once serve them all", async () => {
  await using temp = await tempDirectory();
  const duties = ["write", "work", "write", "read", "doctor", "backup"];

  const results = await runClients(duties.map((duty) => [temp.path, "openMany", duty, String(DATABASES)]));

  assertEquals(results, duties.map(() => []));
  for (let i = 0; i < DATABASES; i++) assertEquals(integrity(`${temp.path}/${i}/queue.db`), "ok");
});
