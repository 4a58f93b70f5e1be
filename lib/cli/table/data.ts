/**
 * Commands that take care of the data.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { JOB_FILTER_FLAGS, QUEUE_FLAG } from "./job_filters.ts";

export const DATA_COMMANDS: readonly CommandSpec[] = [
  {
    name: "cleanup",
    group: "Data",
    summary: "Remove finished jobs with their runs and output",
    usage: ["cleanup --older-than D [OPTIONS]"],
    flags: [
      { name: "older-than", type: "duration", value: "D", summary: "Only those that finished longer ago than this" },
      {
        name: "state",
        type: "text",
        value: "STATE,..",
        repeatable: true,
        completes: "state:final",
        summary: "Only these: completed, dead, cancelled",
      },
      QUEUE_FLAG,
      { name: "dry-run", type: "boolean", summary: "Only say how many" },
    ],
    examples: [
      { line: "queuectl cleanup --older-than 7d --state completed --dry-run", about: "How many would go" },
      { line: "queuectl cleanup --older-than 30d --yes", about: "Everything finished a month ago" },
    ],
    load: () => import("../commands/cleanup.ts"),
  },
  {
    name: "backup",
    group: "Data",
    summary: "Copy the database while workers go on",
    description: "The copy is one file of one moment, checked and synced before it gets its name. Output that is " +
      "kept in files (the folder beside the database) is not in it; the last 64 KiB of every stream are.",
    arguments: [{ name: "FILE", required: true, completes: "file", summary: "Where the copy goes" }],
    flags: [{ name: "replace", type: "boolean", summary: "Replace the file if it exists, in one step" }],
    examples: [
      { line: "queuectl backup /backup/queue.db", about: "Once" },
      { line: "queuectl backup --replace /backup/queue.db", about: "Every night, over the one of yesterday" },
    ],
    exitCodes: { 3: "there is no database", 4: "the file exists" },
    load: () => import("../commands/backup.ts"),
  },
  {
    name: "restore",
    group: "Data",
    summary: "Put a backup in the place of the database",
    description: "The backup is checked first. What was there is set aside as DB.replaced-TIME with its log, never " +
      "overwritten. Jobs that were running when the backup was made are pending again.",
    arguments: [{ name: "FILE", required: true, completes: "file", summary: "A backup, or a salvaged database" }],
    examples: [
      { line: "queuectl restore /backup/queue.db", about: "Asks, then does it" },
      { line: "queuectl restore --yes /backup/queue.db", about: "In a script" },
    ],
    exitCodes: {
      1: "the answer was no",
      3: "there is no such file",
      4: "a worker is alive",
      5: "the backup is damaged",
    },
    load: () => import("../commands/restore.ts"),
  },
  {
    name: "doctor",
    group: "Data",
    summary: "Look for whatever is wrong, and say what to do",
    description: "Examines the database, the files beside it, its place and its workers. Changes nothing unless told " +
      "to, and nothing in a damaged database at all.",
    flags: [
      { name: "fix", type: "boolean", summary: "Mend what is safe to mend" },
      { name: "quick", type: "boolean", summary: "Only look quickly whether the database is damaged" },
      {
        name: "salvage",
        type: "text",
        value: "NEWFILE",
        completes: "file",
        summary: "Save all that can be read of a damaged database",
      },
      {
        name: "backup",
        type: "text",
        value: "FILE",
        completes: "file",
        summary: "With --salvage: take what cannot be read from this backup",
      },
    ],
    examples: [
      { line: "queuectl doctor", about: "Is all well?" },
      { line: "queuectl doctor --fix", about: "Mend what is safe" },
      { line: "queuectl doctor --salvage saved.db", about: "Read a damaged database into a new one" },
      {
        line: "queuectl doctor --salvage saved.db --backup /backup/queue.db",
        about: "The same, with a backup for the damaged pages",
      },
    ],
    exitCodes: {
      0: "all is well, or was mended",
      1: "something is left to do",
      5: "the database is damaged or unusable",
    },
    load: () => import("../commands/doctor.ts"),
  },
  {
    name: "export",
    group: "Data",
    summary: "Write jobs as NDJSON, oldest first",
    description: "Each line is a job as `show --json` has it, without its runs and output; `backup` copies everything.",
    arguments: [{
      name: "FILE",
      required: true,
      completes: "file",
      summary: "Where it goes, or - for standard output",
    }],
    flags: [
      ...JOB_FILTER_FLAGS,
      { name: "replace", type: "boolean", summary: "Replace the file if it exists, in one step" },
    ],
    examples: [
      { line: "queuectl export jobs.ndjson", about: "All jobs" },
      { line: "queuectl export - --state dead | jq .command", about: "The commands of dead jobs" },
    ],
    exitCodes: { 4: "the file exists" },
    load: () => import("../commands/export.ts"),
  },
  {
    name: "import",
    group: "Data",
    summary: "Bring back jobs of an export, all or none",
    description:
      "Jobs keep their ids and options. Those that were completed, dead or cancelled stay so; their runs and " +
      "output are not in an export. All others wait again as new jobs, also those that were running.",
    arguments: [{ name: "FILE", required: true, completes: "file", summary: "An export, or - for standard input" }],
    examples: [
      { line: "queuectl import jobs.ndjson", about: "Into the usual database" },
      { line: "queuectl export - --queue mail | queuectl --db other.db import -", about: "From one into another" },
    ],
    exitCodes: { 2: "a line is refused; nothing is stored", 4: "an id is in use; nothing is stored" },
    load: () => import("../commands/import.ts"),
  },
];
