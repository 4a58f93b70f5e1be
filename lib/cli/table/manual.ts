/**
 * Commands for the manual pages.
 * @module
 */
import type { CommandSpec, FlagSpec } from "../command.ts";

const WHERE: readonly FlagSpec[] = [
  { name: "user", type: "boolean", summary: "For you alone (default, except for root)" },
  { name: "system", type: "boolean", summary: "For all users, in /usr/local/share/man (default for root)" },
  {
    name: "dir",
    type: "text",
    value: "DIR",
    completes: "directory",
    summary: "In this folder of manual pages, such as /usr/share/man",
  },
];

export const MANUAL_COMMANDS: readonly CommandSpec[] = [
  {
    name: "man",
    group: "About",
    summary: "Show a manual page, or print it for man",
    description: "On a terminal the page is shown by man, or as plain text where there is no man. Elsewhere its roff " +
      "source is printed. A page can be asked for by its name or by a command.",
    usage: ["man [PAGE | COMMAND]"],
    arguments: [{
      name: "PAGE",
      variadic: true,
      completes: "topic",
      summary: "Page or command; without it the page of queuectl itself",
    }],
    examples: [
      { line: "queuectl man", about: "What queuectl is, its commands, environment and files" },
      { line: "queuectl man worker", about: "The page of a family of commands" },
      { line: "queuectl man enqueue > queuectl-enqueue.1", about: "The source of a page" },
    ],
    exitCodes: { 2: "no such page" },
    load: () => import("../commands/man/show.ts"),
  },
  {
    name: "man install",
    group: "About",
    summary: "Write the manual pages to where man looks for them",
    description: "The folder is ~/.local/share/man for a user, or below XDG_DATA_HOME where that is set, and " +
      "/usr/local/share/man for root. Prints the folder of the pages. Pages that are up to date are left alone.",
    flags: WHERE,
    examples: [
      { line: "queuectl man install", about: "For this user" },
      { line: "sudo queuectl man install --system", about: "For all users" },
    ],
    exitCodes: { 1: "a page cannot be written", 4: "there is a page that queuectl did not write; none is written" },
    load: () => import("../commands/man/install.ts"),
  },
  {
    name: "man uninstall",
    group: "About",
    summary: "Remove the manual pages that `man install` wrote",
    description: "Looks in the same folder as `man install`. Files that queuectl did not write stay.",
    flags: WHERE,
    examples: [{ line: "queuectl man uninstall", about: "Those of this user" }],
    exitCodes: { 1: "a page cannot be removed" },
    load: () => import("../commands/man/uninstall.ts"),
  },
];
