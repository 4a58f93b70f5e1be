/**
 * Commands about the program itself.
 * @module
 */
import type { CommandSpec } from "../command.ts";

export const ABOUT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "completions",
    group: "About",
    summary: "Print or install the completions of a shell",
    description: "Without a second word it prints the script. `install` writes it where the shell looks for it by " +
      "itself: bash needs the package bash-completion for this, and a user of zsh adds one line to ~/.zshrc, which is " +
      "shown. No rc file is changed.",
    usage: [
      "completions bash|zsh|fish",
      "completions bash|zsh|fish install|uninstall [OPTIONS]",
    ],
    arguments: [
      {
        name: "SHELL",
        required: true,
        choices: ["bash", "zsh", "fish"],
        summary: "Which shell: bash, zsh or fish",
      },
      {
        name: "ACTION",
        choices: ["install", "uninstall"],
        summary: "What to do with the script: install or uninstall",
      },
    ],
    flags: [
      { name: "user", type: "boolean", summary: "For you alone (default, except for root)" },
      { name: "system", type: "boolean", summary: "For all users (default for root)" },
      { name: "dir", type: "text", value: "DIR", completes: "directory", summary: "In this folder instead" },
    ],
    examples: [
      { line: "queuectl completions bash install", about: "Once; new shells have it" },
      { line: "queuectl completions fish uninstall", about: "Take it away" },
      { line: 'eval "$(queuectl completions bash)"', about: "In ~/.bashrc, where bash-completion is missing" },
    ],
    exitCodes: { 4: "the file is there and was not made by queuectl" },
    load: () => import("../commands/completions.ts"),
  },
  {
    name: "version",
    group: "About",
    summary: "Print the version",
    flags: [{ name: "licenses", type: "boolean", summary: "Print whose work is inside, and their licences" }],
    examples: [
      { line: "queuectl version", about: "Which version this is" },
      { line: "queuectl version --licenses", about: "What it is made of" },
    ],
    load: () => import("../commands/version.ts"),
  },
  {
    name: "help",
    group: "About",
    summary: "Show the overview, or the help of a command",
    arguments: [{ name: "COMMAND", variadic: true, completes: "topic", summary: "Command or group of commands" }],
    examples: [
      { line: "queuectl help", about: "All commands" },
      { line: "queuectl help worker run", about: "One command" },
    ],
    load: () => import("../commands/help.ts"),
  },
  {
    name: "__complete",
    group: "About",
    hidden: true,
    summary: "Print what a completion may offer, one per line",
    arguments: [
      { name: "KIND", required: true, summary: "What to offer: job, job:retry, queue:pause, tag, setting" },
      { name: "PREFIX", summary: "What has been typed so far" },
      { name: "TYPED", variadic: true, summary: "Arguments of the command before it" },
    ],
    flags: [{ name: "describe", type: "boolean", summary: "Add a tab and a few words on each" }],
    examples: [{ line: "queuectl __complete job k3", about: "Ids that begin with k3" }],
    load: () => import("../commands/complete.ts"),
  },
];
