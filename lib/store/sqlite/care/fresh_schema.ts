/**
 * Copies the rows of a database into a new one with the schema of the
 * migrations: nothing of the schema of the source comes along.
 * @module
 */
import { type Driver, openDriver } from "../driver.ts";
import { APPLICATION_ID, pragma } from "../migrate.ts";
import { referenceSchema } from "../schema.ts";

/** What is of a moment, and must not come back: who works, and who holds a duty. */
export const OF_A_MOMENT: ReadonlySet<string> = new Set(["workers", "leases"]);

/** `source` is checked, and used by nobody else. `target` is made, for its owner only. */
export async function copyRows(source: string, target: string): Promise<void> {
  Deno.openSync(target, { write: true, createNew: true, mode: 0o600 }).close();
  const driver = openDriver(target, { busyTimeoutMs: 0 });
  try {
    driver.exec("pragma foreign_keys = off; pragma synchronous = off");
    driver.prepare("attach database ? as source").run(source);
    const version = Number(driver.prepare("pragma source.user_version").get()?.user_version);
    const wanted = await referenceSchema(version);
    driver.prepare("begin immediate").run();
    const made = [...wanted].filter(([, { sql }]) => sql !== "");
    // Indexes after the rows, which is faster; triggers too, because what they count is copied.
    for (const [name, { type, sql }] of made) {
      if (type !== "table" || name === "sqlite_sequence") continue;
      driver.exec(sql);
      if (!OF_A_MOMENT.has(name)) copyTable(driver, name);
    }
    driver.exec("delete from main.sqlite_sequence");
    driver.exec("insert into main.sqlite_sequence (name, seq) select name, seq from source.sqlite_sequence");
    for (const [, { type, sql }] of made) if (type !== "table") driver.exec(sql);
    driver.exec(`pragma main.application_id = ${APPLICATION_ID}; pragma main.user_version = ${version}`);
    driver.prepare("commit").run();
    if (pragma(driver, "user_version") !== version) throw new Error("the version of the schema was not noted");
  } finally {
    driver.close();
  }
}

function copyTable(driver: Driver, name: string): void {
  const columns = driver.prepare(`pragma main.table_info("${name}")`).all().map((row) => `"${row.name}"`).join(", ");
  driver.exec(`insert into main."${name}" (${columns}) select ${columns} from source."${name}"`);
}
