/**
 * A copy of the database before its schema changes, so that an older version of
 * the program, or a person whose upgrade went wrong, finds things as they were.
 * @module
 */
import { ownFolders } from "../../host/own_folder.ts";
import { copyDatabase } from "./copy.ts";

/** Of the copies made before migrations, the newest are kept. */
const KEPT = 3;

const NAME = /^before-schema-\d+-\d{8}T\d{6}Z.*\.db$/;

/**
 * Runs while the caller holds the write lock, so that nothing can change between the copy and the migration.
 * @throws {QueuectlError} when the copy cannot be made: then nothing must be migrated.
 */
export function backupBeforeMigration(path: string, schema: number): string {
  const folder = `${path}.d/backups`;
  ownFolders(`${path}.d`, "backups");
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const file = `${folder}/before-schema-${schema + 1}-${stamp}.db`;
  copyDatabase(path, file, { replace: true });
  prune(folder);
  return file;
}

function prune(folder: string): void {
  const copies = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => NAME.test(name));
  const byAge = copies.toSorted((a, b) => {
    const [left, right] = [stampOf(a), stampOf(b)];
    // Two migrations within a second: the later schema is the newer copy.
    return left === right ? a.localeCompare(b, "en", { numeric: true }) : left < right ? -1 : 1;
  });
  for (const name of byAge.slice(0, -KEPT)) Deno.removeSync(`${folder}/${name}`);
}

function stampOf(name: string): string {
  return name.split("-").slice(3).join("-");
}
