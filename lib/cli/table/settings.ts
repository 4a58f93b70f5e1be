/**
 * Commands that read and change settings.
 * @module
 */
import type { CommandSpec } from "../command.ts";

export const SETTINGS_COMMANDS: readonly CommandSpec[] = [
  {
    name: "config list",
    aliases: ["config"],
    group: "Settings",
    summary: "List all settings and their values",
    flags: [{ name: "show-origin", type: "boolean", summary: "Say where each value comes from" }],
    examples: [
      { line: "queuectl config list", about: "All settings" },
      { line: "queuectl config list --show-origin", about: "And where each comes from" },
    ],
    load: () => import("../commands/config/list.ts"),
  },
  {
    name: "config get",
    group: "Settings",
    summary: "Print the value of a setting, or list all",
    arguments: [{ name: "KEY", completes: "setting", summary: "Name of the setting" }],
    flags: [{ name: "show-origin", type: "boolean", summary: "Say where each value comes from" }],
    examples: [{ line: "queuectl config get max_retries", about: "One value" }],
    exitCodes: { 2: "no such setting" },
    load: () => import("../commands/config/get.ts"),
  },
  {
    name: "config set",
    group: "Settings",
    summary: "Change a setting; workers follow without a restart",
    arguments: [
      { name: "KEY", required: true, completes: "setting", summary: "Name of the setting" },
      { name: "VALUE", required: true, completes: "setting-value", summary: "Its new value" },
    ],
    examples: [
      { line: "queuectl config set max_retries 5", about: "More retries for new jobs" },
      { line: "queuectl config set backoff_max 1h", about: "Durations have units" },
    ],
    exitCodes: { 2: "no such setting, or a value that it does not take" },
    load: () => import("../commands/config/set.ts"),
  },
  {
    name: "config unset",
    group: "Settings",
    summary: "Give a setting back its default",
    arguments: [{ name: "KEY", required: true, completes: "setting:stored", summary: "Name of the setting" }],
    examples: [{ line: "queuectl config unset max_retries", about: "Back to the default" }],
    exitCodes: { 2: "no such setting" },
    load: () => import("../commands/config/unset.ts"),
  },
];
