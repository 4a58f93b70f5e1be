/**
 * Whether a database has the tables, indexes and triggers that the migrations
 * make, and nothing else. A trigger or a view that somebody added runs with
 * every statement of ours: it can rewrite commands and empty the audit.
 *
 * Each writing open pays one query and a comparison with the text of the
 * present schema, which is generated. Only what differs is looked at closely.
 * @module
 */
import { quotedPath, StoreUnavailableError } from "../../core/errors.ts";
import { Connection } from "./connection.ts";
import { type Driver, openDriver } from "./driver.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";
import schemaNow from "./schema_now.sql" with { type: "text" };

/** What SQLite makes itself when somebody runs `analyze`. As a table they do nothing. */
const STATISTICS = "(type = 'table' and name in ('sqlite_stat1', 'sqlite_stat4'))";

const TEXT_QUERY = `
  select '-- ' || count(*) || ' objects' || char(10) || group_concat(
    char(10) || '-- ' || type || ' ' || name || ' on ' || tbl_name || char(10) || coalesce(sql || ';' || char(10), ''),
    '' order by type, name
  ) as text
  from sqlite_schema where not ${STATISTICS}`;

/** The whole schema as one text. */
export function schemaText(driver: Driver): string {
  return String(driver.prepare(TEXT_QUERY).get()?.text);
}

/**
 * Refuses a database of schema `version` with anything that the migrations did not make. What is missing is left to
 * `doctor`, which can make it again.
 * @throws {StoreUnavailableError}
 */
export async function refuseForeignSchema(driver: Driver, path: string, version: number): Promise<void> {
  if (version === MIGRATIONS.length && schemaText(driver) === schemaNow) return;
  const foreign = foreignObjects(schemaObjects(driver), await referenceSchema(version));
  if (foreign.length === 0) return;
  throw new StoreUnavailableError(
    `Cannot use database ${quotedPath(path)}: another program changed its schema (${foreign.join(", ")})`,
    { hint: `queuectl --db ${path} doctor --salvage NEWFILE, which takes over the rows alone` },
  );
}

/** Everything that a schema is made of: name -> the statement that makes it. */
export type SchemaObjects = ReadonlyMap<string, { readonly type: string; readonly sql: string }>;

/** In the order in which they were made. */
export function schemaObjects(driver: Driver): SchemaObjects {
  const rows = driver.prepare(`select name, type, sql from sqlite_schema where not ${STATISTICS} order by rowid`).all();
  return new Map(rows.map((row) => [String(row.name), { type: String(row.type), sql: String(row.sql ?? "") }]));
}

/** The schema as the first so many migrations make it, in memory. */
export async function referenceSchema(version: number): Promise<SchemaObjects> {
  const driver = openDriver(":memory:", { busyTimeoutMs: 0 });
  try {
    await migrate(new Connection(driver, { path: ":memory:", busyTimeoutMs: 0 }), MIGRATIONS.slice(0, version));
    return schemaObjects(driver);
  } finally {
    driver.close();
  }
}

/** What the migrations did not make, or not like this: `trigger zz`. */
export function foreignObjects(found: SchemaObjects, wanted: SchemaObjects): string[] {
  return [...found].filter(([name, { type, sql }]) => {
    const made = wanted.get(name);
    return made === undefined || made.type !== type || made.sql !== sql;
  }).map(([name, { type }]) => `${type} ${name}`);
}
