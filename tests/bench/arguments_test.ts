import { assertEquals, assertStringIncludes } from "@std/assert";
import { readBenchArguments } from "../../bench/arguments.ts";
import { TRIALS } from "../../bench/against/trials.ts";

const NAMES = ["startup", "batch", "claim", "spawn"];
const COMPARED = ["startup", "batch", "spawn"];

function read(...args: string[]) {
  return readBenchArguments(args, { names: NAMES, compared: COMPARED });
}

function options(...args: string[]) {
  const request = read(...args);
  if (request.kind !== "run") throw new Error(`${args.join(" ")}: ${JSON.stringify(request)}`);
  return request.options;
}

function refusal(...args: string[]): string {
  const request = read(...args);
  if (request.kind !== "refused") throw new Error(`${args.join(" ")} was not refused`);
  return request.message;
}

Deno.test("without arguments every row is measured, and nothing is compared", () => {
  assertEquals(options(), { rows: NAMES, quick: false, json: false, against: null, rounds: 3 });
});

Deno.test("rows are named as words, by --only, or both, and keep the order of the table", () => {
  assertEquals(options("spawn", "--only", "batch,startup").rows, ["startup", "batch", "spawn"]);
  assertEquals(options("--only", "spawn", "--only=claim").rows, ["claim", "spawn"]);
});

Deno.test("a row that does not exist is refused with the nearest name", () => {
  assertEquals(refusal("spwan"), 'no row is named "spwan"; did you mean "spawn"?');
  assertEquals(refusal("--only", "batch,xyz"), 'no row is named "xyz"');
});

Deno.test("a comparison leaves out the rows that do not run the binary, and refuses them by name", () => {
  assertEquals(options("--against", "/old/queuectl").rows, COMPARED);
  assertEquals(options("--against", "/old/queuectl").against, "/old/queuectl");
  assertStringIncludes(refusal("--against", "/old/queuectl", "claim"), 'cannot compare "claim"');
});

Deno.test("an option that does not exist is refused with the nearest one", () => {
  assertEquals(refusal("--agianst", "x"), 'there is no option "--agianst"; did you mean "--against"?');
  assertEquals(refusal("--agains=x"), 'there is no option "--agains"; did you mean "--against"?');
});

Deno.test("rounds are a whole number, two at least, for one round says nothing about noise", () => {
  assertEquals(options("--rounds", "5").rounds, 5);
  for (const text of ["0", "1", "2.5", "many", ""]) assertStringIncludes(refusal("--rounds", text), "--rounds");
});

Deno.test("--against without a binary is refused", () => {
  assertStringIncludes(refusal("--against"), "--against");
  assertStringIncludes(refusal("--against", ""), "--against");
});

Deno.test("--help wins over everything but a mistake", () => {
  assertEquals(read("--help", "spawn").kind, "help");
});

Deno.test("every family that can be compared has a measure with a name of its own", () => {
  const bench = { folder: "/nowhere", size: (full: number) => full };
  const names = Object.values(TRIALS).flatMap((trials) => trials(bench)).flatMap(({ measures }) => measures)
    .map(({ what }) => what);

  assertEquals(new Set(names).size, names.length);
  assertEquals(names.length > 0, true);
});
