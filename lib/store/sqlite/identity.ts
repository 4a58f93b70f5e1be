/**
 * Which database a file is. A copy of it has the same rows, and these name
 * processes: workers, and jobs by their claims. What works on the original is
 * not for the copy to end.
 *
 * So each database has a random identity, noted together with the device and
 * the inode of its file. When a file is not the one that is noted, it is a
 * copy: it gets an identity of its own, and the workers that it lists are from
 * then on taken for those of another database.
 *
 * It is a row among the leases, not in a table of its own: earlier versions with
 * the same schema go on using the database, and leave leases out of what they
 * restore and salvage.
 * @module
 */
import { COPIED } from "../../host/process_identity.ts";
import type { Connection } from "./connection.ts";
import type { Driver } from "./driver.ts";

const NAME = "identity";

export interface Identity {
  readonly id: string;
  /** `none`: the database comes from an earlier version. `copy`: the identity is another file's. */
  readonly kind: "own" | "none" | "copy";
}

/** What the rows say of this file. */
export function notedIdentity(driver: Driver, path: string): Identity {
  const row = driver.prepare(`select holder from leases where name = '${NAME}'`).get();
  if (row === undefined) return { id: "", kind: "none" };
  const noted = parsed(String(row.holder));
  const { dev, ino } = Deno.statSync(path);
  return { id: noted.id, kind: noted.dev === dev && noted.ino === ino ? "own" : "copy" };
}

/** The identity of this file; a copy gets a new one. */
export async function identityOf(connection: Connection, path: string): Promise<string> {
  const noted = notedIdentity(connection.driver, path);
  if (noted.kind === "own") return noted.id;
  return await connection.write("note which database this is", () => {
    // Another process may have been quicker.
    const { id, kind } = notedIdentity(connection.driver, path);
    if (kind === "own") return id;
    // Workers of an earlier version may be at work on this very file: it is not known to be a copy.
    if (kind === "copy") disownWorkers(connection.driver);
    return note(connection.driver, path);
  });
}

/** Makes the file at `path`, a copy that nobody uses yet, a database of its own. One of an older schema may lack tables. */
export function giveNewIdentity(driver: Driver, path: string): void {
  const tables = driver.prepare(
    "select name from sqlite_schema where type = 'table' and name in ('leases', 'workers')",
  );
  if (tables.all().length < 2) return;
  disownWorkers(driver);
  note(driver, path);
}

/** They beat elsewhere, if at all. With the leases goes the duty of maintenance, which one of them holds. */
function disownWorkers(driver: Driver): void {
  driver.prepare("update workers set boot_id = ?").run(COPIED);
  driver.prepare("delete from leases").run();
}

function note(driver: Driver, path: string): string {
  const { dev, ino } = Deno.statSync(path);
  const id = crypto.randomUUID();
  driver.prepare(`insert or replace into leases (name, holder, updated_at) values ('${NAME}', ?, ?)`)
    .run(JSON.stringify({ id, dev, ino }), Date.now());
  return id;
}

/** What makes no sense is nobody's. */
function parsed(holder: string): { id: string; dev?: unknown; ino?: unknown } {
  try {
    const value = JSON.parse(holder);
    return typeof value?.id === "string" ? value : { id: "" };
  } catch {
    return { id: "" };
  }
}
