/**
 * Which commands may run at all: the setting `allow_commands`, patterns with
 * commas between them. No pattern allows everything.
 *
 * A pattern is the whole command, with `*` for any text. In a command for the
 * shell that text may hold nothing by which the shell would run something else,
 * or `backup *` would also allow `backup x; rm -r y`. Of a program with its
 * arguments, which no shell sees, it may be anything.
 * @module
 */
import { quoted, UsageError } from "./errors.ts";
import type { NewJob } from "./job.ts";

type Program = Pick<NewJob, "command" | "argv">;

/** Whether a job may run. */
export type Allows = (job: Program) => boolean;

/** Text without operators, substitutions, redirections, comments, quotes, escapes and line ends. */
const PLAIN_SHELL_TEXT = "[^;&|<>()$`\\\\\"'\\n\\r#]*";
const ANY_TEXT = "[^]*";

/** undefined: everything is allowed. */
export function allowedCommands(patterns: string): Allows | undefined {
  const all = patterns.split(",").map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
  if (all.length === 0) return undefined;
  const shell = all.map((pattern) => expression(pattern, PLAIN_SHELL_TEXT));
  const programs = all.map((pattern) => expression(pattern, ANY_TEXT));
  return ({ command, argv }) => {
    if (command !== null) return shell.some((pattern) => pattern.test(command.trim()));
    const typed = (argv ?? []).join(" ");
    return programs.some((pattern) => pattern.test(typed));
  };
}

function expression(pattern: string, star: string): RegExp {
  const parts = pattern.split("*").map((text) => text.replace(/[.+?^${}()|[\]\\/]/g, "\\$&"));
  return new RegExp(`^${parts.join(star)}$`, "u");
}

/** @throws {UsageError} when the job may not run. */
export function refuseForbidden(allows: Allows | undefined, job: Program): void {
  if (allows === undefined || allows(job)) return;
  throw new UsageError(`Cannot take command ${quoted(job.command ?? (job.argv ?? []).join(" "))}: ${FORBIDDEN}`, {
    hint: "queuectl config get allow_commands",
  });
}

export const FORBIDDEN = "allow_commands has no pattern for it";
