import { assertEquals } from "@std/assert";
import { fileCoverage } from "../../tools/coverage/lcov.ts";

Deno.test("fileCoverage() counts the lines hit of each file", () => {
  const lcov = "SF:/p/lib/a.ts\nFNF:1\nDA:1,3\nDA:2,0\nLH:1\nLF:2\nend_of_record\nSF:/p/lib/b.ts\nend_of_record\n";

  const files = fileCoverage(lcov);

  assertEquals(files, [{ path: "/p/lib/a.ts", lines: 2, hit: 1 }, { path: "/p/lib/b.ts", lines: 0, hit: 0 }]);
});
