/**
 * `queuectl(1)`: what the program is, and what holds for every command.
 * @module
 */
import type { CommandTable } from "../command.ts";
import {
  DATABASE_FILES,
  DATABASE_PLACES,
  JOB_VARIABLES,
  READ_VARIABLES,
  USUAL_EXIT_CODES,
} from "../table/surroundings.ts";
import type { Block, ManualPage } from "./document.ts";
import { pageNameOf, visible } from "./page_names.ts";
import { entryTerms, exitCodeTerms, flagTermOf } from "./terms.ts";

const DESCRIPTION = [
  "queuectl is a durable background job queue. A job is a command with its rules. It survives crashes, is retried with " +
  "backoff, and ends in the dead letter queue when it keeps failing. Its state, the reason for it, its runs, their " +
  "output and their timing can be looked at.",
  "`queuectl enqueue` stores a job and prints its id. A worker claims it and runs it: `queuectl worker run` in the " +
  "foreground, `queuectl worker start` in the background. `queuectl run` does both for one job and exits with its code.",
  "Options stand before or after the command. `--` ends the options.",
];

const STATES: readonly (readonly [string, string])[] = [
  ["scheduled", "waits for its time"],
  ["blocked", "waits for other jobs"],
  ["pending", "waits for a worker"],
  ["processing", "runs"],
  ["failed", "its last run failed, and it is retried after its backoff"],
  ["completed", "succeeded"],
  ["dead", "failed for good: the dead letter queue"],
  ["cancelled", "was cancelled, expired, or a job before it failed"],
];

const VALUES: readonly (readonly [string, string])[] = [
  ["ID", "An id, or four or more characters of a generated id as long as they are unique"],
  ["D", "A duration: 500ms, 90s, 5m, 2h, 1d, 1w, 1h30m; a bare number is seconds"],
  ["TIME", "+30s, 02:00 (the next one), tomorrow 02:00, 2026-12-01 02:00 (local), or RFC 3339"],
  ["NAME,..", "One or more, with commas between them"],
];

export function mainPage(table: CommandTable, families: readonly ManualPage[]): ManualPage {
  return {
    name: "queuectl",
    otherNames: [],
    summary: "durable background job queue in one binary",
    synopsis: ["[GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]"],
    blocks: [
      { kind: "section", title: "Description" },
      ...DESCRIPTION.map((text): Block => ({ kind: "text", text })),
      { kind: "section", title: "Commands" },
      ...commandLists(table),
      { kind: "section", title: "Global options" },
      { kind: "terms", head: "Option", terms: table.globalFlags.map(flagTermOf) },
      { kind: "section", title: "States of a job" },
      { kind: "terms", head: "State", terms: entryTerms(STATES), isCompact: true },
      { kind: "section", title: "Values" },
      { kind: "terms", head: "Value", terms: entryTerms(VALUES), isCompact: true },
      { kind: "section", title: "Exit status" },
      { kind: "terms", head: "Code", terms: exitCodeTerms(USUAL_EXIT_CODES), isCompact: true },
      {
        kind: "text",
        text: "`run` and `wait` exit with what became of the job instead: queuectl-run(1). An error is one line on " +
          "standard error, with a second line `Try: ...` where there is a next step.",
      },
      { kind: "section", title: "Environment" },
      { kind: "part", title: "Read by queuectl" },
      { kind: "terms", head: "Variable", terms: entryTerms(READ_VARIABLES) },
      { kind: "part", title: "Given to every job" },
      {
        kind: "text",
        text: "A job runs with the environment of its worker, plus `--env-file`, `--env` and these variables. " +
          "Other variables that begin with QUEUECTL_ are not passed on.",
      },
      { kind: "terms", head: "Variable", terms: entryTerms(JOB_VARIABLES) },
      { kind: "section", title: "Files" },
      {
        kind: "text",
        text: "The database is one SQLite file. Its place is `--db`, else `QUEUECTL_DB`, else one of the first two " +
          "below. DB stands for its path. All files are private to their user.",
      },
      { kind: "terms", head: "Path", terms: entryTerms([...DATABASE_PLACES, ...DATABASE_FILES]) },
    ],
    seeAlso: families.map((page) => page.name),
  };
}

/** The commands by group, each with its sentence. */
function commandLists(table: CommandTable): readonly Block[] {
  return [...Map.groupBy(visible(table), (command) => command.group)].flatMap(([group, commands]): Block[] => [
    { kind: "part", title: group },
    {
      kind: "terms",
      head: "Command",
      isCompact: true,
      terms: commands.map((command) => ({ names: [command.name], text: command.summary })),
    },
    { kind: "text", text: `${[...new Set(commands.map(pageNameOf))].map((name) => `${name}(1)`).join(", ")}.` },
  ]);
}
