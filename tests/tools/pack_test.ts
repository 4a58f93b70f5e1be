import { assertThrows } from "@std/assert";
import { refuseLostUsing } from "../../tools/compile/pack.ts";

Deno.test("a program whose minifier lost a using is not packed", () => {
  const written = "function held(path) {\n  using file = open(path);\n  return file.lock();\n}";

  assertThrows(() => refuseLostUsing(written, "function a(b){return open(b).lock()}"), Error, "loses 1 `using`");
});

Deno.test("a program whose minifier kept every using is packed", () => {
  refuseLostUsing("await using a = b();\nusing $c = d();", "await using e=b();using f=d();");
});
