/**
 * The flags that every command takes, before and after its name.
 * @module
 */
import type { FlagSpec } from "../command.ts";

export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  {
    name: "db",
    type: "text",
    value: "PATH|URL",
    completes: "file",
    summary: "Use this database (environment: QUEUECTL_DB)",
  },
  {
    name: "trust-owner",
    type: "boolean",
    summary: "Use the database although others may write it (environment: QUEUECTL_TRUST_OWNER=PATH)",
  },
  { name: "json", type: "boolean", summary: "Print JSON, the same as --format json" },
  {
    name: "format",
    type: "choice",
    value: "FORMAT",
    choices: ["table", "json", "ndjson", "plain"],
    default: "table",
    summary: "Print as table, json, ndjson or plain",
  },
  { name: "no-color", type: "boolean", summary: "Never use colour (environment: NO_COLOR)" },
  { name: "quiet", short: "q", type: "boolean", summary: "Print no notes, only results, warnings and errors" },
  { name: "verbose", short: "v", type: "boolean", summary: "Say more, and show the stack of an error" },
  { name: "yes", short: "y", type: "boolean", summary: "Answer yes to every question" },
  { name: "help", short: "h", type: "boolean", summary: "Show help" },
  { name: "version", type: "boolean", summary: "Show the version" },
];
