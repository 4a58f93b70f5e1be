/** Whether the file is whole: its pages, trees, indexes and references. @module */
import type { Check } from "../../care.ts";
import type { Driver } from "../driver.ts";
import { isBusy } from "../errors.ts";

/** As many as a person would read. */
const MAX_TOLD = 3;

/** What is wrong, in one line; undefined when nothing is. @throws what is no damage, such as a lock. */
export function damageOf(driver: Driver, check: "integrity_check" | "quick_check"): string | undefined {
  let lines: string[];
  try {
    lines = driver.prepare(`pragma ${check}(100)`).all().map((row) => String(row[check]));
  } catch (error) {
    if (isBusy(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  }
  if (lines.length === 1 && lines[0] === "ok") return undefined;
  // Headings such as `*** in database main ***` say nothing.
  const told = lines.flatMap((line) => line.split("\n")).filter((line) => !line.startsWith("***"));
  const more = told.length > MAX_TOLD ? `; and ${told.length - MAX_TOLD} more` : "";
  return told.slice(0, MAX_TOLD).join("; ") + more;
}

export const SALVAGE_HINT = "restore a backup (queuectl restore FILE), or save what can be read: " +
  "queuectl doctor --salvage NEWFILE; docs/recovery.md tells all";

export function checkIntegrity(driver: Driver): Check {
  const name = "integrity";
  const damage = damageOf(driver, "integrity_check");
  if (damage !== undefined) {
    return { name, status: "error", message: `The database is damaged: ${damage}`, fix: SALVAGE_HINT, isFatal: true };
  }
  const strays = driver.prepare("pragma foreign_key_check").all();
  if (strays.length > 0) {
    const tables = [...new Set(strays.map((row) => String(row.table)))].join(", ");
    return {
      name,
      status: "error",
      message: `${strays.length} rows refer to rows that do not exist (${tables})`,
      fix: SALVAGE_HINT,
      isFatal: true,
    };
  }
  return { name, status: "ok", message: "Every page, index and reference is whole" };
}
