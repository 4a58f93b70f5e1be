/**
 * Commands that make a pool of workers a service of the system.
 * @module
 */
import type { CommandSpec, FlagSpec } from "../command.ts";
import { CONCURRENCY, COUNT, POOL, QUEUES } from "./workers.ts";

const WHERE: readonly FlagSpec[] = [
  { name: "user", type: "boolean", summary: "A unit of the present user (default, except for root)" },
  { name: "system", type: "boolean", summary: "A unit of the system (default for root)" },
  {
    name: "name",
    type: "text",
    value: "NAME",
    summary: "Name of the unit (default: queuectl, or queuectl-POOL)",
  },
];

const WHAT: readonly FlagSpec[] = [
  { ...COUNT, default: "1" },
  CONCURRENCY,
  QUEUES,
  POOL,
  { name: "run-as", type: "text", value: "USER", default: "root", summary: "With --system: the user whose jobs run" },
];

const DIR: FlagSpec = {
  name: "dir",
  type: "text",
  value: "DIR",
  completes: "directory",
  summary: "Folder of the unit, for an image or a package; systemd is not asked for anything",
};

export const SERVICE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "service print",
    group: "Workers",
    summary: "Print a systemd unit for a pool of workers",
    description: "Prints what `service install` would write. The stop limit comes from the settings shutdown_timeout " +
      "and kill_grace of the database.",
    flags: [...WHERE, ...WHAT],
    examples: [
      { line: "queuectl service print", about: "One worker, for the present user" },
      { line: "queuectl service print --system --count 4 --run-as www-data --db /srv/q.db", about: "For a server" },
    ],
    exitCodes: { 3: "there is no such user" },
    load: () => import("../commands/service/print.ts"),
  },
  {
    name: "service install",
    group: "Workers",
    summary: "Write the systemd unit of a pool, and start it",
    description: "Writes the unit and says how to start it; --now does that, too. The same command again writes " +
      "nothing unless something changed. A unit that was edited, or that queuectl did not write, stays.",
    flags: [
      ...WHERE,
      ...WHAT,
      { name: "now", type: "boolean", summary: "Enable and start it" },
      { name: "replace", type: "boolean", summary: "Replace a unit that was edited or is not ours" },
      DIR,
    ],
    examples: [
      { line: "queuectl service install --count 2 --now", about: "Two workers, now and after each login" },
      { line: "queuectl service install --system --count 4 --now", about: "As root: now and at each boot" },
      { line: "queuectl service install --pool mail --queue mail", about: "A second service, for one queue" },
    ],
    exitCodes: {
      3: "there is no such user",
      4: "the unit is not ours to replace; with --now: the pool runs in the background",
    },
    load: () => import("../commands/service/install.ts"),
  },
  {
    name: "service uninstall",
    group: "Workers",
    summary: "Stop the service and remove its unit; jobs stay",
    description: "Running jobs finish first, within the stop limit of the unit. The database stays as it is.",
    flags: [...WHERE, POOL, DIR],
    examples: [
      { line: "queuectl service uninstall", about: "What service install made" },
      { line: "queuectl service uninstall --system --pool mail", about: "The unit queuectl-mail.service" },
    ],
    exitCodes: { 3: "there is no such unit", 4: "queuectl did not write it" },
    load: () => import("../commands/service/uninstall.ts"),
  },
];
