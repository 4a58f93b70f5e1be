import { assertEquals } from "@std/assert";
import { FROM_SOURCE } from "../../tools/test/coverage_gate.ts";

Deno.test("every file that is measured from source is there", () => {
  const isThere = (path: string) => Deno.statSync(new URL(`../../${path}`, import.meta.url)).isFile;

  assertEquals(FROM_SOURCE.filter((path) => !isThere(path)), []);
});
