/**
 * The state table as documentation: a Markdown table and a mermaid diagram, both
 * made from `job_state.ts`, so that the README cannot disagree with the program.
 * @module
 */
import { allowedTargets, EVENTS, FINAL_STATES, INITIAL_STATES, type JobState, STATES } from "./job_state.ts";

/** Markdown: the diagram first, then the table, one row for each pair of states. */
export function renderStateDiagram(): string {
  return ["```mermaid", ...mermaid(), "```", "", ...table()].join("\n") + "\n";
}

interface Arrow {
  readonly from: JobState;
  readonly to: JobState;
  readonly events: readonly string[];
}

/** One arrow for each pair of states, with all events that lead along it. */
function arrows(): Arrow[] {
  const pairs = STATES.flatMap((from) => STATES.map((to) => ({ from, to })));
  return pairs
    .map(({ from, to }) => ({ from, to, events: EVENTS.filter((event) => allowedTargets(from, event).includes(to)) }))
    .filter(({ events }) => events.length > 0);
}

function mermaid(): string[] {
  return [
    "stateDiagram-v2",
    ...INITIAL_STATES.map((state) => `  [*] --> ${state}`),
    // An arrow from a state to itself says nothing that the table does not say better.
    ...arrows().filter(({ from, to }) => from !== to)
      .map(({ from, to, events }) => `  ${from} --> ${to}: ${events.map(words).join(", ")}`),
    ...FINAL_STATES.map((state) => `  ${state} --> [*]`),
  ];
}

function table(): string[] {
  return [
    "| from | to | event |",
    "| --- | --- | --- |",
    ...INITIAL_STATES.map((state) => `| (new) | ${state} | enqueue |`),
    ...arrows().map(({ from, to, events }) => `| ${from} | ${to} | ${events.map(words).join(", ")} |`),
  ];
}

function words(event: string): string {
  return event.replaceAll("_", " ");
}
