/**
 * Commands about templates.
 * @module
 */
import type { ArgumentSpec, CommandSpec } from "../command.ts";
import { JOB_FLAGS } from "./job_options.ts";

const NAME: ArgumentSpec = { name: "NAME", required: true, completes: "template", summary: "Name of the template" };

/** A template is none of one job's business. */
const NOT_TEMPLATE_FLAGS = ["id", "template"];

export const TEMPLATE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "template create",
    aliases: ["template add"],
    group: "Templates",
    summary: "Keep job options under a name",
    description:
      "What `--template NAME` says later is what is said here, with the options and the command of the job " +
      "over it. Times such as --delay count from each use.",
    usage: [
      "template create NAME [JOB OPTIONS] [COMMAND | JSON]",
      "template create NAME [JOB OPTIONS] -- PROGRAM [ARGUMENT]...",
    ],
    arguments: [
      { name: "NAME", required: true, summary: "Name of the template" },
      { name: "COMMAND", completes: "command", summary: "Shell command or JSON object; without it the job brings one" },
    ],
    takesArgv: true,
    flags: [
      { name: "replace", type: "boolean", summary: "Replace a template of this name" },
      ...JOB_FLAGS.filter((flag) => !NOT_TEMPLATE_FLAGS.includes(flag.name)),
    ],
    examples: [
      {
        line: "queuectl template create nightly --queue slow --max-retries 5 --timeout 2h",
        about: "Options alone: the job brings its command",
      },
      { line: "queuectl template create report --command 'make report'", about: "A command with them" },
    ],
    exitCodes: { 4: "the name is in use" },
    load: () => import("../commands/template/create.ts"),
  },
  {
    name: "template list",
    aliases: ["template"],
    group: "Templates",
    summary: "List templates",
    examples: [{ line: "queuectl template list", about: "All templates" }],
    load: () => import("../commands/template/list.ts"),
  },
  {
    name: "template show",
    group: "Templates",
    summary: "Show what a template says",
    arguments: [NAME],
    examples: [{ line: "queuectl template show nightly --json", about: "Its fields, as JSON" }],
    load: () => import("../commands/template/show.ts"),
  },
  {
    name: "template remove",
    group: "Templates",
    summary: "Forget a template; jobs made from it stay",
    arguments: [NAME],
    examples: [{ line: "queuectl template remove nightly", about: "Forget it" }],
    load: () => import("../commands/template/remove.ts"),
  },
];
