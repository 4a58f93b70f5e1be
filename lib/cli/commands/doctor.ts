/** `queuectl doctor`: what is wrong, and what to do about it. @module */
import { UsageError } from "../../core/errors.ts";
import { visibleText } from "../../core/visible_text.ts";
import { examineAll, exitCodeOf } from "../../operations/doctor.ts";
import { careOf, type Check, openStore, type Store, type StoreCare } from "../../store/mod.ts";
import { VERSION } from "../../version.ts";
import { absolutePath } from "../absolute_path.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn, text } from "../input.ts";
import { type Styler, stylerFor } from "../output/color.ts";
import { isJsonFormat, printJson, printJsonList } from "../output/json.ts";

export async function run(context: Context, input: Input): Promise<number> {
  const target = text(input, "salvage");
  const asked = [target !== undefined, isOn(input, "fix"), isOn(input, "quick")].filter((one) => one).length;
  if (asked > 1) throw new UsageError("Cannot do all at once: give one of --fix, --quick, --salvage");
  const care = await careOf(context.dbPath);
  const backup = text(input, "backup");
  if (backup !== undefined && target === undefined) throw new UsageError("Cannot use --backup without --salvage");
  if (target !== undefined) {
    return await salvage(context, care, absolutePath(target), backup === undefined ? undefined : absolutePath(backup));
  }
  const checks = isOn(input, "quick") ? [await quickly(care)] : await everything(context, care, isOn(input, "fix"));
  print(context, checks);
  return exitCodeOf(checks);
}

async function everything(context: Context, care: StoreCare, fix: boolean): Promise<readonly Check[]> {
  const opened: Store[] = [];
  const open = async () => {
    const store = await openStore(context.dbPath, { mode: fix ? "write" : "read", clock: context.clock });
    opened.push(store);
    return store;
  };
  try {
    return await examineAll({ care, open, fix, now: context.clock.now(), version: VERSION });
  } finally {
    for (const store of opened) await store.close();
  }
}

async function quickly(care: StoreCare): Promise<Check> {
  const damage = await care.quickCheck();
  return damage === undefined
    ? { name: "integrity", status: "ok", message: "The quick check found nothing wrong" }
    : { name: "integrity", status: "error", message: `The database is damaged: ${damage}`, isFatal: true };
}

async function salvage(context: Context, care: StoreCare, file: string, backup: string | undefined): Promise<number> {
  const salvaged = await care.salvage(file, { now: context.clock.now(), backup });
  const { jobs, runs, foundByPage, fromBackup, refused, incomplete } = salvaged;
  if (isJsonFormat(context)) {
    printJson(context, {
      file,
      jobs,
      runs,
      found_by_page: foundByPage,
      from_backup: fromBackup,
      refused,
      incomplete,
    });
    return 0;
  }
  const how = [
    foundByPage === 0 ? "" : `, ${foundByPage} found page by page`,
    fromBackup === 0 ? "" : `, ${fromBackup} as they were in the backup`,
  ].join("");
  context.note(`Wrote ${file}: ${jobs} jobs with ${runs} runs${how}`);
  if (incomplete.length > 0) context.note(`Damaged: ${incomplete.join(", ")}`);
  context.note(`Look at it with: queuectl --db ${file} list; take it with: queuectl restore ${file}`);
  return 0;
}

function print(context: Context, checks: readonly Check[]): void {
  if (isJsonFormat(context)) {
    printJsonList(
      context,
      checks.map(({ name, status, message, fix, isFixed }) => ({
        name,
        status,
        message,
        fix: fix ?? null,
        fixed: isFixed ?? false,
      })),
    );
    return;
  }
  if (context.format === "plain") {
    for (const { name, status, message } of checks) {
      context.write([status, name, visibleText(message)].join("\t") + "\n");
    }
    return;
  }
  const paint = stylerFor(context.color);
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const check of checks) {
    context.write(`${mark(check, paint)} ${check.name.padEnd(width)}  ${visibleText(check.message)}\n`, {
      isStyled: true,
    });
    if (check.status !== "ok" && check.fix !== undefined) {
      context.print(`        ${"".padEnd(width)}  Try: ${visibleText(check.fix)}`);
    }
  }
}

/** Seven columns wide. */
function mark({ status, isFixed }: Check, paint: Styler): string {
  if (isFixed) return paint("good", "fixed  ");
  if (status === "ok") return paint("good", "ok     ");
  return status === "warning" ? paint("warning", "warning") : paint("bad", "error  ");
}
