/**
 * Commands about the program itself.
 * @module
 */
import type { CommandSpec } from "../command.ts";

export const ABOUT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "completions",
    group: "About",
    summary: "Print the completion script of a shell",
    arguments: [{
      name: "SHELL",
      required: true,
      choices: ["bash", "zsh", "fish"],
      summary: "Which shell: bash, zsh or fish",
    }],
    examples: [
      { line: 'eval "$(queuectl completions bash)"', about: "In ~/.bashrc" },
      { line: "queuectl completions zsh > ~/.zfunc/_queuectl", about: "Into a folder of $fpath" },
      { line: "queuectl completions fish > ~/.config/fish/completions/queuectl.fish", about: "For fish" },
    ],
    load: () => import("../commands/completions.ts"),
  },
  {
    name: "version",
    group: "About",
    summary: "Print the version",
    examples: [{ line: "queuectl version", about: "Which version this is" }],
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
