/** Which commands may run. */
import { assertEquals, assertThrows } from "@std/assert";
import { forbiddenBy } from "../../../lib/core/allowed_commands.ts";
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

const allows = (patterns: string, command: string, env: Record<string, string> | null = null) =>
  forbiddenBy(patterns)?.({ command, argv: null, env }) === undefined;
const allowsProgram = (patterns: string, ...argv: string[]) =>
  forbiddenBy(patterns)?.({ command: null, argv, env: null }) === undefined;

Deno.test("without a pattern everything is allowed", () => {
  for (const patterns of ["", " ", ",", " , "]) assertEquals(forbiddenBy(patterns), undefined);
});

Deno.test("a pattern is the whole command, with * for text within a word and for all last words", () => {
  assertEquals(allows("true", "true"), true);
  assertEquals(allows("true", "true x"), false);
  assertEquals(allows("backup *,true", "backup /home --all"), true);
  assertEquals(allows("backup *", "backup"), false);
  assertEquals(allows("/opt/*/report.sh *", "/opt/a.b/report.sh 7"), true);
  assertEquals(allows("copy a-*.txt *.zip", "copy a-1.txt b.zip"), true);
  assertEquals(allows("copy a-*.txt *.zip", "copy a-1.txt x b.zip"), false);
  assertEquals(allows("a*b*c", "a-b-b-c"), true);
  assertEquals(allows("ab*ba", "aba"), false);
  assertEquals(allows("make  all", "\t make all \n"), true);
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

Deno.test("a word with blanks in it is one word, and a path leads nowhere else", () => {
  assertEquals(allowsProgram("backup *", "backup /../../evil.sh"), false);
  assertEquals(allowsProgram("backup *", "backup ", "x"), false);
  assertEquals(allowsProgram("backup*", "backup /../../evil.sh"), false);
  assertEquals(allowsProgram("/opt/*/run *", "/opt/../tmp/evil/run", "x"), false);
  assertEquals(allowsProgram("/opt/*/run *", "/opt/../run", "x"), false);
  assertEquals(allows("/opt/*/run", "/opt/./run"), false);
  assertEquals(allows("* --version", "PATH=/tmp/evil --version"), false);
});

Deno.test("a relative path is no program, except where everything is allowed", () => {
  for (const pattern of ["./run.sh", "run/*", "bin/run"]) {
    assertEquals([allows(pattern, pattern), allowsProgram(pattern, pattern)], [false, false], pattern);
  }
  assertEquals([allows("*", "./run.sh"), allows("A=1 /bin/x", "A=1 /bin/x")], [true, true]);
});

Deno.test("only blanks, tabs and newlines around a command are nothing", () => {
  for (const odd of ["\u00a0", "\u2003", "\ufeff", "\v", "\f"]) {
    assertEquals(allows("backup *", `${odd}backup x`), false, JSON.stringify(odd));
    assertEquals(allows("backup *", `backup${odd}x`), false, JSON.stringify(odd));
  }
});

Deno.test("a job may not set variables by which an allowed program runs something else", () => {
  const names =
    "PATH LD_PRELOAD LD_LIBRARY_PATH BASH_ENV ENV IFS PYTHONPATH PERL5LIB PERL5OPT NODE_OPTIONS GIT_SSH RUBYOPT";
  for (const name of names.split(" ")) assertEquals(allows("backup *", "backup x", { [name]: "y" }), false, name);
  for (const name of ["TOKEN", "MY_PATH", "ENVIRONMENT"]) {
    assertEquals(allows("backup *", "backup x", { [name]: "y" }), true, name);
  }
  assertEquals(
    forbiddenBy("*")?.({ command: "true", argv: null, env: { PATH: "/tmp" } }),
    "while allow_commands is set, a job may not set PATH",
  );
});

Deno.test("the time to match grows with the length of the command alone", () => {
  const long = "a".repeat(100_000);
  const patterns = ["* * * * x", "a*a*a*a*a*x", `${"*".repeat(50)}x`, "*a *a *a b", "a* *"];
  const start = performance.now();
  for (const pattern of patterns) {
    for (const command of [long, "a ".repeat(50_000), " ".repeat(100_000) + "a", `a ${long};`]) {
      for (let times = 0; times < 5; times++) allows(pattern, command);
      allowsProgram(pattern, ...command.split(" "));
    }
  }
  // Fractions of a second; expressions that backtrack would take longer than anybody waits.
  assertEquals(performance.now() - start < 10_000, true);
});

Deno.test("a job with a command that is not allowed is refused by name", () => {
  const defaults = { ...DEFAULTS, forbids: forbiddenBy("backup *") };

  assertEquals(readNewJob({ command: "backup x" }, defaults).command, "backup x");
  assertThrows(
    () => readNewJob({ command: "rm x" }, defaults),
    UsageError,
    'Cannot take command "rm x": allow_commands has no pattern for it',
  );
});
