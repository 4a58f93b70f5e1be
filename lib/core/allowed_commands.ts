/**
 * Which commands may run at all: the setting `allow_commands`, patterns with
 * commas between them. No pattern allows everything.
 *
 * A guard against mistakes, not against the user: a job may change the setting,
 * and a program that is allowed may start any other.
 *
 * A pattern is matched word by word, so that a word with blanks in it never
 * looks like several. `*` stands for text within one word, and as the last word
 * for one or more words. In the name of the program it matches no `/`.
 * In a command for the shell, `*` matches nothing by which the shell would run
 * something else, or `backup *` would also allow `backup x; rm -r y`. A program
 * with its arguments, which no shell sees, may have any arguments.
 *
 * The time to match grows with the length of the command alone. A regular
 * expression would backtrack: five stars and 1,000 characters took minutes.
 * @module
 */
import { quoted, UsageError } from "./errors.ts";
import type { NewJob } from "./job.ts";

type Program = Pick<NewJob, "command" | "argv" | "env">;

/** Why a job may not run; undefined: it may. */
export type Forbids = (job: Program) => string | undefined;

export const FORBIDDEN = "allow_commands has no pattern for it";

/** What a `*` may stand for. */
type Star = (text: string) => boolean;

/** Text without operators, substitutions, redirections, comments, quotes, escapes and line ends. */
const isPlain: Star = (text) => !/[;&|<>()$`\\"'\n\r#]/.test(text);
const isAnything: Star = () => true;
/** Part of the name of one program: in one folder, no assignment, nothing that the shell expands to another name. */
const isPlainName: Star = (text) => isPlain(text) && !/[/=?*[\]{}~!]/.test(text);
const isName: Star = (text) => !text.includes("/");

/** undefined: everything is allowed. */
export function forbiddenBy(patterns: string): Forbids | undefined {
  const all = patterns.split(",").map(wordsOf).filter((words) => words.length > 0);
  if (all.length === 0) return undefined;
  return ({ command, argv, env }) => {
    const words = command === null ? argv ?? [] : wordsOf(command);
    const stars = command === null ? { name: isName, rest: isAnything } : { name: isPlainName, rest: isPlain };
    if (!all.some((pattern) => matches(pattern, words, stars))) return FORBIDDEN;
    const name = Object.keys(env ?? {}).find((name) => REDIRECTING.test(name));
    return name === undefined ? undefined : `while allow_commands is set, a job may not set ${name}`;
  };
}

/** @throws {UsageError} when the job may not run. */
export function refuseForbidden(forbids: Forbids | undefined, job: Program): void {
  const reason = forbids?.(job);
  if (reason === undefined) return;
  throw new UsageError(`Cannot take command ${quoted(job.command ?? (job.argv ?? []).join(" "))}: ${reason}`, {
    hint: "queuectl config get allow_commands",
  });
}

/** Variables by which a program that is allowed runs code of another place. The list cannot be complete. */
const REDIRECTING = new RegExp(
  "^(?:PATH|CDPATH|ENV|IFS|PS4|SHELLOPTS|BASHOPTS|GCONV_PATH|LUA_INIT|MAKEFLAGS|TAR_OPTIONS|RSYNC_RSH|" +
    "PAGER|EDITOR|VISUAL|LESSOPEN|LESSCLOSE|_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|" +
    "(?:LD|DYLD|BASH|NODE|DENO|GIT|SSH)_.*|(?:PYTHON|PERL|RUBY).*)$",
);

/** As a shell separates them. It takes no other white space for a separator: a no-break space is part of a word. */
function wordsOf(text: string): string[] {
  return text.replace(/^[ \t\n]+/, "").replace(BLANKS_AT_END, "").split(/[ \t]+/).filter((word) => word !== "");
}

/** From the first blank of the last blanks on: without the look back, the time would grow with the square of them. */
const BLANKS_AT_END = /(?<![ \t\n])[ \t\n]+$/;

function matches(pattern: readonly string[], words: readonly string[], stars: { name: Star; rest: Star }): boolean {
  const isOpen = pattern.at(-1) === "*";
  if (isOpen ? words.length < pattern.length : words.length !== pattern.length) return false;
  if (pattern.length === 1 && isOpen) return words.every(stars.rest);
  if (!isProgram(pattern[0] ?? "", words[0] ?? "", stars.name)) return false;
  return words.every((word, index) => index === 0 || isWord(pattern[index] ?? "*", word, stars.rest));
}

/** A variable for one command of the shell; only a pattern that has it too, letter by letter, gets here with one. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * A relative path names another file in each directory, and the one who enqueues chooses that. A path with `..` in it
 * leaves the folder that the pattern names.
 */
function isProgram(pattern: string, program: string, star: Star): boolean {
  if (program.includes("/") && !program.startsWith("/") && !ASSIGNMENT.test(program)) return false;
  if (pattern.includes("*") && /(?:^|\/)\.\.?(?:\/|$)/.test(program)) return false;
  return isWord(pattern, program, star);
}

/**
 * Each part between stars is taken where it is found first. That leaves most room for the others, and what a star may
 * not match must be in a part, so the first place is the only one that can be right for it.
 */
function isWord(pattern: string, word: string, star: Star): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return word === first;
  if (word.length < first.length + last.length || !word.startsWith(first) || !word.endsWith(last)) return false;
  const end = word.length - last.length;
  let at = first.length;
  for (const part of parts) {
    const found = word.indexOf(part, at);
    if (found === -1 || found + part.length > end || !star(word.slice(at, found))) return false;
    at = found + part.length;
  }
  return star(word.slice(at, end));
}
