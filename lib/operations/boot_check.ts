/**
 * What the quick check of the store found that workers do once after each boot
 * of the host: power cuts and dying disks damage files while nobody looks.
 *
 * The result is a small file beside the store, not in it: a damaged store must
 * not be written to.
 * @module
 */
import { writeNewFile } from "../host/own_file.ts";
export interface BootCheck {
  readonly boot_id: string;
  /** null while it is under way, or when whoever did it was killed. */
  readonly checked_at: number | null;
  /** What is wrong; null when nothing is. */
  readonly damage: string | null;
}

function fileIn(folder: string): string {
  return `${folder}/run/boot-check.json`;
}

/** The last one; undefined when there was none, or its file makes no sense. */
export function readBootCheck(folder: string): BootCheck | undefined {
  try {
    const { boot_id, checked_at, damage } = JSON.parse(Deno.readTextFileSync(fileIn(folder)));
    if (typeof boot_id !== "string") return undefined;
    return {
      boot_id,
      checked_at: typeof checked_at === "number" ? checked_at : null,
      damage: typeof damage === "string" ? damage : null,
    };
  } catch {
    return undefined;
  }
}

/** Replaced as a whole: a reader sees the old or the new. */
export function writeBootCheck(folder: string, check: BootCheck): void {
  const partial = `${fileIn(folder)}.${Deno.pid}`;
  writeNewFile(partial, JSON.stringify(check));
  Deno.renameSync(partial, fileIn(folder));
}

/** What was found does not hold any more: it was mended, or another store is in its place. */
export function forgetBootCheck(folder: string): void {
  try {
    Deno.removeSync(fileIn(folder));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
