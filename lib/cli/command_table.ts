/**
 * THE command table: every command, in the order in which help lists them.
 *
 * Parsing, help, completions and the README reference read it and nothing
 * else. A new command is a spec in its family's file, its first word in
 * `command_families.ts`, and a file in `commands/`; its code is loaded only when
 * it runs.
 * @module
 */
import type { CommandTable } from "./command.ts";
import { ABOUT_COMMANDS } from "./table/about.ts";
import { BATCH_COMMANDS } from "./table/batches.ts";
import { DATA_COMMANDS } from "./table/data.ts";
import { DEAD_LETTER_COMMANDS } from "./table/dead_letters.ts";
import { ENQUEUEING_COMMANDS } from "./table/enqueueing.ts";
import { GLOBAL_FLAGS } from "./table/global_flags.ts";
import { JOB_COMMANDS } from "./table/jobs.ts";
import { LOOKING_COMMANDS } from "./table/looking.ts";
import { MANUAL_COMMANDS } from "./table/manual.ts";
import { QUEUE_COMMANDS } from "./table/queues.ts";
import { RUNNING_COMMANDS } from "./table/running.ts";
import { SERVICE_COMMANDS } from "./table/services.ts";
import { SETTINGS_COMMANDS } from "./table/settings.ts";
import { TEMPLATE_COMMANDS } from "./table/templates.ts";
import { WORKER_COMMANDS } from "./table/workers.ts";

export const COMMAND_TABLE: CommandTable = {
  commands: [
    ...ENQUEUEING_COMMANDS,
    ...JOB_COMMANDS,
    ...RUNNING_COMMANDS,
    ...DEAD_LETTER_COMMANDS,
    ...WORKER_COMMANDS,
    ...SERVICE_COMMANDS,
    ...QUEUE_COMMANDS,
    ...BATCH_COMMANDS,
    ...TEMPLATE_COMMANDS,
    ...LOOKING_COMMANDS,
    ...DATA_COMMANDS,
    ...SETTINGS_COMMANDS,
    ...MANUAL_COMMANDS,
    ...ABOUT_COMMANDS,
  ],
  globalFlags: GLOBAL_FLAGS,
};
