/** Which commands may run. */
import { assertEquals, assertThrows } from "@std/assert";
import { allowedCommands } from "../../../lib/core/allowed_commands.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import { readNewJob } from "../../../lib/core/job_fields.ts";

const DEFAULTS = {
  now: 0,
  max_retries: 3,
  backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 } as const,
  timeout_ms: null,
  kill_grace_ms: 10_000,
  cwd: "/tmp",
};

const allows = (patterns: string, command: string) => allowedCommands(patterns)?.({ command, argv: null });
const allowsProgram = (patterns: string, ...argv: string[]) => allowedCommands(patterns)?.({ command: null, argv });

Deno.test("without a pattern everything is allowed", () => {
  for (const patterns of ["", " ", ",", " , "]) assertEquals(allowedCommands(patterns), undefined);
});

Deno.test("a pattern is the whole command, with * for any text", () => {
  assertEquals(allows("true", "true"), true);
  assertEquals(allows("true", "true x"), false);
  assertEquals(allows("backup *,true", "backup /home --all"), true);
  assertEquals(allows("backup *", "backup"), false);
  assertEquals(allows("*/report.sh *", "/opt/a.b/report.sh 7"), true);
  assertEquals(allows("a.c", "abc"), false);
  assertEquals(allows("*", "make all *.o ~/x [a-z]"), true);
});

Deno.test("* lets nothing through by which a shell would run something else", () => {
  const tricks = [
    "; rm x",
    "&& rm x",
    "| sh",
    "$(rm x)",
    "`rm x`",
    "> /etc/passwd",
    "\nrm x",
    "<(rm x)",
    "# rm",
    "\\\nrm",
  ];
  for (const trick of tricks) {
    assertEquals(allows("backup *", `backup ${trick}`), false, trick);
    assertEquals(allows("*", `true ${trick}`), false, trick);
  }
});

Deno.test("a pattern that has operators of its own allows exactly these", () => {
  assertEquals(allows("make && make install", "make && make install"), true);
  assertEquals(allows("make && make *", "make && make install; rm x"), false);
});

Deno.test("the arguments of a program may be anything, for no shell sees them", () => {
  assertEquals(allowsProgram("echo *", "echo", "a; b"), true);
  assertEquals(allowsProgram("echo *", "rm", "x"), false);
});

Deno.test("a job with a command that is not allowed is refused by name", () => {
  const defaults = { ...DEFAULTS, allows: allowedCommands("backup *") };

  assertEquals(readNewJob({ command: "backup x" }, defaults).command, "backup x");
  assertThrows(
    () => readNewJob({ command: "rm x" }, defaults),
    UsageError,
    'Cannot take command "rm x": allow_commands has no pattern for it',
  );
});
