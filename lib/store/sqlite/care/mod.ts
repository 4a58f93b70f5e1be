/** Taking care of a SQLite database. @module */
import { ConflictError, NotFoundError, quotedPath } from "../../../core/errors.ts";
import type { StoreCare } from "../../care.ts";
import { copyDatabase, exists } from "../copy.ts";
import { openDriver } from "../driver.ts";
import { asStoreError } from "../errors.ts";
import { SCHEMA_VERSION, schemaState } from "../migrate.ts";
import { referenceSchema } from "../schema.ts";
import { openSqliteStore } from "../sqlite_store.ts";
import { damageOf } from "./check_integrity.ts";
import { examine } from "./examine.ts";
import { inspectBackup, restoreDatabase } from "./restore.ts";
import { salvage } from "./salvage.ts";
import { BESIDE } from "./staging.ts";

export function sqliteCare(path: string): StoreCare {
  return {
    location: path,
    folder: `${path}.d`,
    exists: () => isThere(path),
    backup: (file, options) => promised(() => backup(path, file, options)),
    inspect: (file) => inspectBackup(file),
    restore: (file, options) => restoreDatabase(path, file, options),
    salvage: async (file, { now, backup }) => {
      if (backup !== undefined) await inspectBackup(backup);
      return await salvage(path, file, { now, backup, create: createEmpty });
    },
    examine: ({ fix, now }) =>
      examine(path, {
        fix,
        now,
        reference: () => referenceSchema(SCHEMA_VERSION),
      }),
    quickCheck: () => promised(() => quickCheck(path)),
  };
}

/** What is out of reach is there. */
function isThere(path: string): boolean {
  try {
    return exists(path);
  } catch {
    return true;
  }
}

/** What is thrown is the promise's. */
function promised<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

function backup(path: string, file: string, options: { readonly replace: boolean }) {
  if (!exists(path)) throw new NotFoundError(`No database ${quotedPath(path)}: there is nothing to copy`);
  let driver;
  try {
    driver = openDriver(path, { busyTimeoutMs: 1_000, readOnly: true });
    if (schemaState(driver, path) === "new") {
      throw new NotFoundError(`No jobs in database ${quotedPath(path)}: it is empty, there is nothing to copy`);
    }
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    driver?.close();
  }
  if (isPartOf(path, file)) {
    throw new ConflictError(`Cannot write ${quotedPath(file)}: it is the database itself`, {
      hint: "choose another name",
    });
  }
  return copyDatabase(path, file, options);
}

/** The database, by whatever name, or what SQLite keeps beside it: replacing that would destroy it. */
function isPartOf(path: string, file: string): boolean {
  return ["", ...BESIDE].some((ending) => {
    try {
      const [own, other] = [Deno.statSync(path + ending), Deno.statSync(file)];
      return own.dev === other.dev && own.ino === other.ino;
    } catch {
      return path + ending === file;
    }
  });
}

async function createEmpty(path: string): Promise<void> {
  const store = await openSqliteStore(path, {
    mode: "write",
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
  });
  await store.close();
}

function quickCheck(path: string): string | undefined {
  if (!exists(path)) return undefined;
  let driver;
  try {
    driver = openDriver(path, { busyTimeoutMs: 10_000, readOnly: true });
    return damageOf(driver, "quick_check");
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    driver?.close();
  }
}
