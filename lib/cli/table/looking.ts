/**
 * Commands that look at the whole.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { LIMIT_FLAG } from "./job_filters.ts";

export const LOOKING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "status",
    group: "Looking",
    summary: "Show queues, states and workers at a glance",
    examples: [
      { line: "queuectl status", about: "How things are" },
      { line: "queuectl status --json", about: "The same for a script" },
    ],
    load: () => import("../commands/status.ts"),
  },
  {
    name: "stats",
    group: "Looking",
    summary: "Show how runs ended, how long they took and waited",
    description: "Everything that was ever counted, also of jobs that are gone, or what ended within a time; by the " +
      "minute the last 7 days are known. Percentiles are within 9 %, all other numbers are exact.",
    flags: [
      { name: "since", type: "duration", value: "D", summary: "Only runs that ended within this time, at most 7d" },
      { name: "queue", type: "text", value: "NAME", completes: "queue", summary: "Only runs of this queue" },
    ],
    examples: [
      { line: "queuectl stats", about: "All that was ever counted" },
      { line: "queuectl stats --since 1h --queue mail", about: "One queue in the last hour" },
      { line: "queuectl stats --since 1d --json", about: "The last day, for a script" },
    ],
    load: () => import("../commands/stats.ts"),
  },
  {
    name: "metrics",
    group: "Looking",
    summary: "Print numbers for monitoring",
    description: "The numbers that a monitoring system wants, in one overview; with --prometheus in the text format " +
      "that Prometheus and its node exporter (textfile collector) read.",
    flags: [{ name: "prometheus", type: "boolean", summary: "Print the Prometheus text format, version 0.0.4" }],
    examples: [
      { line: "queuectl metrics --json", about: "One object for a script" },
      { line: "queuectl metrics --prometheus", about: "For the textfile collector, or a scrape through a shell" },
    ],
    load: () => import("../commands/metrics.ts"),
  },
  {
    name: "audit",
    group: "Looking",
    summary: "Show who changed what, and when",
    flags: [
      { name: "since", type: "duration", value: "D", summary: "Only what was done within this time" },
      LIMIT_FLAG,
    ],
    examples: [
      { line: "queuectl audit --since 1d", about: "Today" },
      { line: "queuectl audit --limit 0 --format ndjson", about: "Everything that is kept, for a script" },
    ],
    load: () => import("../commands/audit.ts"),
  },
];
