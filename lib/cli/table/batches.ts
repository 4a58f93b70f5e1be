/**
 * Commands about batches.
 * @module
 */
import type { ArgumentSpec, CommandSpec } from "../command.ts";
import { ON_BATCH_DONE_FLAG } from "./job_options.ts";

const NAME: ArgumentSpec = { name: "NAME", required: true, completes: "batch", summary: "Name of the batch" };

export const BATCH_COMMANDS: readonly CommandSpec[] = [
  {
    name: "batch list",
    aliases: ["batch"],
    group: "Batches",
    summary: "List batches and how far they are, newest first",
    examples: [{ line: "queuectl batch list", about: "All batches" }],
    load: () => import("../commands/batch/list.ts"),
  },
  {
    name: "batch show",
    group: "Batches",
    summary: "Show one batch: its jobs by state, and what follows",
    arguments: [NAME],
    examples: [{ line: "queuectl batch show night", about: "How far is it?" }],
    load: () => import("../commands/batch/show.ts"),
  },
  {
    name: "batch seal",
    group: "Batches",
    summary: "Say that no more jobs are added to a batch",
    description: "A batch is done when it is sealed and all of its jobs have ended. `enqueue-batch` seals the batch " +
      "that it makes; one that `enqueue --batch` made is open until this.",
    arguments: [{ ...NAME, completes: "batch:open" }],
    flags: [ON_BATCH_DONE_FLAG],
    examples: [
      { line: "queuectl batch seal night --on-batch-done './report.sh night'", about: "And run this at its end, once" },
    ],
    exitCodes: { 4: "it is sealed already" },
    load: () => import("../commands/batch/seal.ts"),
  },
];
