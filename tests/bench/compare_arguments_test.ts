import { assertEquals, assertStringIncludes } from "@std/assert";
import { FULL, QUICK, readCompareArguments } from "../../bench/compare/arguments.ts";

const NAMES = ["queuectl", "xargs", "task-spooler"];
const DOCUMENT = "docs/comparison.md";

function options(...args: string[]) {
  const request = readCompareArguments(args, { names: NAMES, document: DOCUMENT });
  if (request.kind !== "run") throw new Error(`${args.join(" ")}: ${JSON.stringify(request)}`);
  return request.options;
}

function refusal(...args: string[]): string {
  const request = readCompareArguments(args, { names: NAMES, document: DOCUMENT });
  if (request.kind !== "refused") throw new Error(`${args.join(" ")} was not refused`);
  return request.message;
}

Deno.test("without arguments every tool is measured whole, and the document is written", () => {
  const { peers, sizes, output, install } = options();

  assertEquals({ peers, sizes, output, install }, { peers: NAMES, sizes: FULL, output: DOCUMENT, install: false });
});

Deno.test("a run of some tools, or a quick one, leaves the document alone unless told where to write", () => {
  assertEquals(options("--only", "xargs").output, null);
  assertEquals(options("--quick").output, null);
  assertEquals(options("--quick", "--output", "here.md").output, "here.md");
});

Deno.test("--only takes names with commas or several times, in the order of the tables", () => {
  assertEquals(options("--only", "task-spooler,queuectl", "--only=xargs").peers, NAMES);
});

Deno.test("--rounds and --jobs change one size of a whole or of a quick run", () => {
  assertEquals(options("--rounds", "5", "--jobs", "200").sizes, { ...FULL, rounds: 5, jobs: 200 });
  assertEquals(options("--quick", "--jobs", "7").sizes, { ...QUICK, jobs: 7 });
});

Deno.test("a tool or an option that does not exist is refused with the nearest name", () => {
  assertEquals(refusal("--only", "xarg"), 'no tool is named "xarg"; did you mean "xargs"?');
  assertEquals(refusal("--instal"), 'there is no option "--instal"; did you mean "--install"?');
});

Deno.test("sizes that are no whole number from 1 on are refused", () => {
  for (const text of ["0", "-1", "1.5", "x", "", "1e3"]) assertStringIncludes(refusal(`--jobs=${text}`), "--jobs");
  assertStringIncludes(refusal("--rounds", "100"), "--rounds");
});

Deno.test("a word that is no option is refused", () => {
  assertStringIncludes(refusal("xargs"), "xargs");
});
