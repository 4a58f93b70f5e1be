import { assertEquals, assertStringIncludes } from "@std/assert";
import { allowedTargets, EVENTS, STATES } from "../../../lib/core/job_state.ts";
import { renderStateDiagram } from "../../../lib/core/job_state_diagram.ts";

Deno.test("renderStateDiagram() shows every transition of the table, in the table and as an arrow", () => {
  const lines = renderStateDiagram().split("\n");

  for (const from of STATES) {
    for (const event of EVENTS) {
      for (const to of allowedTargets(from, event)) {
        const words = event.replaceAll("_", " ");
        const row = lines.find((line) => line.startsWith(`| ${from} | ${to} | `));
        assertStringIncludes(row ?? "", words);
        if (from === to) continue;
        const arrow = lines.find((line) => line.startsWith(`  ${from} --> ${to}: `));
        assertStringIncludes(arrow ?? "", words);
      }
    }
  }
});

Deno.test("renderStateDiagram() shows no transition that the table does not have", () => {
  const rows = renderStateDiagram().split("\n").filter((line) => /^\| \w+ \| \w+ \| (?!event)/.test(line));

  for (const row of rows) {
    const [from, to, events = ""] = row.split("|").slice(1, 4).map((cell) => cell.trim());
    for (const words of events.split(", ")) {
      const event = EVENTS.find((name) => name === words.replaceAll(" ", "_"));
      const state = STATES.find((name) => name === from);
      assertEquals(event && state && allowedTargets(state, event).some((target) => target === to), true, row);
    }
  }
});

Deno.test("renderStateDiagram() shows where jobs begin and end", () => {
  const text = renderStateDiagram();

  for (const state of ["scheduled", "blocked", "pending"]) assertStringIncludes(text, `  [*] --> ${state}\n`);
  for (const state of ["completed", "dead", "cancelled"]) assertStringIncludes(text, `  ${state} --> [*]\n`);
});
