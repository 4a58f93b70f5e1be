/**
 * An error -> what the user sees on stderr, and the exit code. Loaded only
 * when something went wrong.
 *
 * People get `queuectl: MESSAGE` and `Try: HINT`; with `--json` one line
 * `{"error": {"code", "message", "hint"}}`; with `-v` stacks and causes too.
 * @module
 */
import { QueuectlError, StoreUnavailableError } from "../core/errors.ts";
import { visibleJson, visibleText } from "../core/visible_text.ts";
import type { CommandTable, FlagValue } from "./command.ts";
import { wantsColor } from "./make_context.ts";
import { writeErr } from "./output/streams.ts";
import { shownText } from "./output/terminal_text.ts";
import { findCommand } from "./parse.ts";
import { pastedLine } from "./pasted_line.ts";
import { MissingSubcommandError } from "./usage_errors.ts";

export interface ErrorPlace {
  readonly argv: readonly string[];
  /** Absent when the command line itself could not be read. */
  readonly flags?: ReadonlyMap<string, FlagValue> | undefined;
  readonly table: CommandTable;
}

/** Tells the user and gives the exit code. */
export async function reportError(error: unknown, place: ErrorPlace): Promise<number> {
  const known = error instanceof QueuectlError ? error : fileTrouble(error);
  const message = known?.message ?? `Unexpected error: ${error instanceof Error ? error.message : String(error)}`;
  const hint = known?.hint === undefined ? undefined : pastedLine(known.hint, dbFlag(place));
  const color = wantsColor(place.flags ?? rawFlags(place.argv)) && Deno.stderr.isTerminal();
  if (isAsked("json", place)) {
    const body = { code: known?.code ?? "failed", message, hint: hint ?? null };
    writeErr(visibleJson(JSON.stringify({ error: body })) + "\n");
  } else if (error instanceof MissingSubcommandError) {
    const { helpFor } = await import("./help.ts");
    writeErr(shownText(helpFor(error.group.split(" "), place.table, { color }), { hasStyles: color }));
  } else {
    const label = color ? await inRed("queuectl:") : "queuectl:";
    writeErr(`${label} ${oneLine(message)}\n`);
    if (hint !== undefined) writeErr(`Try: ${oneLine(hint)}\n`);
  }
  if (isAsked("verbose", place)) writeErr(shownText(stacks(error), { hasStyles: false }));
  return findCommand(place.argv, place.table).spec?.failureCode ?? known?.exitCode ?? 1;
}

async function inRed(text: string): Promise<string> {
  const { stylerFor } = await import("./output/color.ts");
  const paint = stylerFor(true);
  return paint("strong", paint("bad", text));
}

/** What the system says of a file that it does not let us use. */
const FILE_TROUBLE =
  /^(Permission denied|Read-only file system|No space left on device|Disk quota exceeded|Not a directory|Input\/output error) \(os error \d+\).*?'(.+)'$/;

const FILE_HINTS: Readonly<Record<string, string>> = {
  "Permission denied": "check the permissions of the file and its folder",
  "Not a directory": "move the file away that is where a folder of the database belongs",
};

/** Files that a person names are told of where they are read: these are the ones that belong to the database. */
function fileTrouble(error: unknown): QueuectlError | undefined {
  const [, reason, path] = FILE_TROUBLE.exec(error instanceof Error ? error.message : "") ?? [];
  if (reason === undefined || path === undefined) return undefined;
  const hint = FILE_HINTS[reason];
  return new StoreUnavailableError(`Cannot use "${path}": ${reason.toLowerCase()}`, { hint, cause: error });
}

/** What a message repeats of the user's data must not move the cursor or break the line. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s*\n\s*/g, " "));
}

/** The stack of the error and of everything that caused it, the outermost first. */
function stacks(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
    const text = cause instanceof Error ? cause.stack ?? cause.message : String(cause);
    parts.push(parts.length === 0 ? text : `Caused by: ${text}`);
  }
  return parts.join("\n") + "\n";
}

function isAsked(flag: "json" | "verbose", place: ErrorPlace): boolean {
  const flags = place.flags ?? rawFlags(place.argv);
  if (flag === "json" && flags.get("format") === "ndjson") return true;
  return flags.get(flag) === true;
}

function dbFlag(place: ErrorPlace): string | undefined {
  const value = (place.flags ?? rawFlags(place.argv)).get("db");
  return typeof value === "string" ? value : undefined;
}

/** The global options that decide how an error looks, from a command line that could not be read. */
function rawFlags(argv: readonly string[]): ReadonlyMap<string, FlagValue> {
  const end = argv.indexOf("--");
  const tokens = end < 0 ? argv : argv.slice(0, end);
  const valueOf = (flag: string) =>
    tokens.findLast((token, i) => token.startsWith(`${flag}=`) || tokens[i - 1] === flag)?.replace(`${flag}=`, "");
  const format = valueOf("--format");
  const db = valueOf("--db");
  return new Map<string, FlagValue>([
    ["json", tokens.includes("--json") || format === "json"],
    ["format", format ?? ""],
    ["verbose", tokens.includes("--verbose") || tokens.includes("-v")],
    ["no-color", tokens.includes("--no-color")],
    ...db === undefined ? [] : [["db", db] as const],
  ]);
}
