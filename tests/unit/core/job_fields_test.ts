import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InvalidValueError, UsageError } from "../../../lib/core/errors.ts";
import { NO_EXIT_RULES } from "../../../lib/core/exit_rules.ts";
import type { NewJob } from "../../../lib/core/job.ts";
import {
  FIELD_NAMES,
  type JobDefaults,
  optionsOf,
  parseInteger,
  parseName,
  readNewJob,
} from "../../../lib/core/job_fields.ts";
import { MAX_COMMAND_BYTES } from "../../../lib/core/job_surroundings.ts";

const NOW = Date.parse("2026-11-30T11:00:00Z");

const DEFAULTS: JobDefaults = {
  now: NOW,
  max_retries: 3,
  backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
  timeout_ms: 90_000,
  kill_grace_ms: 10_000,
  cwd: "/home/ann",
};

type Written = Readonly<Record<string, unknown>>;

function read(written: Written, defaults: Partial<JobDefaults> = {}): NewJob {
  return readNewJob({ command: "true", ...written }, { ...DEFAULTS, ...defaults });
}

/** The one sentence with which something is refused. */
function refusal(written: Written, defaults: Partial<JobDefaults> = {}): string {
  return assertThrows(() => read(written, defaults), UsageError).message;
}

Deno.test("a job that says only its command takes everything else from the defaults", () => {
  assertEquals(read({ command: "echo hello" }), {
    id: null,
    type: "shell",
    command: "echo hello",
    argv: null,
    queue: "default",
    priority: 0,
    max_retries: 3,
    timeout_ms: 90_000,
    run_at: null,
    tags: [],
    template: null,
    backoff: DEFAULTS.backoff,
    kill_grace_ms: 10_000,
    exit_rules: NO_EXIT_RULES,
    cwd: "/home/ann",
    env: null,
    secret_env: null,
    stdin: null,
    umask: null,
    nice: null,
    limits: null,
    keep_output: true,
    expires_at: null,
    lock: null,
    key: null,
    batch: null,
    when: null,
    after: null,
    after_any: null,
    key_scope: null,
    on_conflict: null,
  });
});

Deno.test("null and undefined count as not written", () => {
  const nothing = Object.fromEntries(FIELD_NAMES.filter((name) => name !== "command").map((name) => [name, null]));

  assertEquals(read(nothing), read({}));
  assertEquals(read({ timeout: undefined }), read({}));
});

Deno.test("fields are read from JSON values and from the text of options alike", () => {
  const pairs: [Written, Written][] = [
    [{ priority: -3 }, { priority: "-3" }],
    [{ max_retries: 0 }, { max_retries: "0" }],
    [{ timeout: 90 }, { timeout: "1m30s" }],
    [{ kill_grace: 0 }, { kill_grace: "0s" }],
    [{ tags: ["a", "b"] }, { tags: "a, b" }],
    [{ env: { A: "1", B: "x=y" } }, { env: ["A=1", "B=x=y"] }],
    [{ nice: 5 }, { nice: "5" }],
    [{ keep_output: false }, { keep_output: "false" }],
    [{ backoff: { strategy: "fixed", delay: 10 } }, { backoff: "fixed:10s" }],
    [{ exit_rules: { ok_on: [0, 3] } }, { ok_on: "0,3" }],
    [{ after: ["a", "b"] }, { after: ["a,b", "a"] }],
    [{ after_any: ["a"] }, { after_any: "a" }],
    [{ expires: 90 }, { expires: "1m30s" }],
    [{ key: "k", key_scope: "active" }, { key: "k" }],
  ];
  for (const [json, text] of pairs) assertEquals(read(json), read(text), JSON.stringify(json));
});

Deno.test("an argv makes a job that runs without a shell", () => {
  const { type, command, argv } = readNewJob({ argv: ["ls", "", "-l"] }, DEFAULTS);

  assertEquals({ type, command, argv }, { type: "exec", command: null, argv: ["ls", "", "-l"] });
});

Deno.test("a job needs a command or an argv, and not both", () => {
  assertEquals(assertThrows(() => readNewJob({}, DEFAULTS), UsageError).exitCode, 2);
  assertStringIncludes(refusal({ command: null }), "Missing command");
  assertStringIncludes(refusal({ argv: ["ls"] }), "both command and argv");
});

Deno.test("commands that cannot be run are refused", () => {
  assertStringIncludes(refusal({ command: " \n\t" }), "Invalid command");
  assertStringIncludes(refusal({ command: "a\0b" }), "without NUL bytes");
  assertStringIncludes(refusal({ command: ["ls"] }), "Invalid command");
  assertStringIncludes(refusal({ command: 7 }), "Invalid command 7: expected text");
});

Deno.test("a command may be as long as one argument of a program may be, counted in bytes", () => {
  assertEquals(read({ command: "x".repeat(MAX_COMMAND_BYTES) }).command?.length, MAX_COMMAND_BYTES);
  assertEquals(read({ command: "ü".repeat(MAX_COMMAND_BYTES / 2) }).command?.length, MAX_COMMAND_BYTES / 2);
  assertStringIncludes(refusal({ command: "x".repeat(MAX_COMMAND_BYTES + 1) }), "at most 120 KiB");
  assertStringIncludes(refusal({ command: "漢".repeat(MAX_COMMAND_BYTES / 3 + 1) }), "at most 120 KiB");
});

Deno.test("an argv that names no program, or holds what is no text, is refused", () => {
  const argv = (value: unknown) => refusal({ command: null, argv: value });

  for (const value of [[], "ls", {}, 7]) assertStringIncludes(argv(value), "Invalid argv");
  assertStringIncludes(argv([" ", "x"]), "a program as its first word");
  assertStringIncludes(argv(["ls", 7]), "Invalid argv[1] 7: expected text");
  assertStringIncludes(argv(["ls", "\0"]), "Invalid argv[1]");
  assertStringIncludes(argv(["ls", ...Array(11).fill("x".repeat(100_000))]), "at most 1 MiB");
});

Deno.test("a value that is refused is named with its field and what is allowed", () => {
  const cases: [string, unknown, string][] = [
    ["id", "a b", "Invalid id"],
    ["queue", "", "Invalid queue"],
    ["queue", "-x", "Invalid queue"],
    ["queue", 7, "Invalid queue"],
    ["priority", 1.5, "Invalid priority 1.5: expected a whole number from -2147483647 to 2147483647"],
    ["priority", "high", "Invalid priority"],
    ["priority", 2 ** 31, "Invalid priority"],
    ["priority", "", "Invalid priority"],
    ["priority", true, "Invalid priority"],
    ["max_retries", -1, "Invalid max_retries -1"],
    ["retries", "x", "Invalid retries"],
    ["max_attempts", 0, "Invalid max_attempts 0: expected a whole number from 1"],
    ["timeout", "soon", "Invalid timeout"],
    ["timeout", -1, "Invalid timeout"],
    ["timeout_ms", 0.5, "Invalid timeout_ms"],
    ["kill_grace", "x", "Invalid kill_grace"],
    ["backoff", "sometimes", "Invalid backoff"],
    ["backoff_strategy", "random", "Invalid backoff_strategy"],
    ["backoff_base", 0, "Invalid backoff_base"],
    ["backoff_delay", "x", "Invalid backoff_delay"],
    ["backoff_max", 0, "Invalid backoff_max"],
    ["backoff_jitter", 2, "Invalid backoff_jitter"],
    ["ok_on", "256", "Invalid ok_on"],
    ["snooze_on", "75", "Invalid snooze_on"],
    ["exit_rules", "0", "Invalid exit_rules"],
    ["run_at", "someday", "Invalid run_at"],
    ["run_at", 1_796_036_400, "Invalid run_at"],
    ["next_run_at", "x", "Invalid next_run_at"],
    ["delay", "x", "Invalid delay"],
    ["tags", 7, "Invalid tags"],
    ["tags", ["a b"], "Invalid tag"],
    ["tags", "", "Invalid tag"],
    ["cwd", "", "Invalid cwd"],
    ["env", "A", "Invalid env"],
    ["env", ["A"], "Invalid env"],
    ["env", ["=1"], "Invalid env"],
    ["env", { "1A": "x" }, "Invalid env name"],
    ["env", { A: 1 }, "Invalid env.A"],
    ["env", { A: "\0" }, "Invalid env.A"],
    ["stdin", 7, "Invalid stdin"],
    ["stdin", "x".repeat(1_048_577), "Invalid stdin"],
    ["umask", "999", "Invalid umask"],
    ["umask", 27, "Invalid umask"],
    ["nice", 20, "Invalid nice"],
    ["keep_output", "yes", "Invalid keep_output"],
    ["expires", "someday", "Invalid expires"],
    ["expires", "2020-01-01T00:00:00Z", "Invalid expires"],
    ["expires_at", 7, "Invalid expires_at"],
    ["after", "a/b", "Invalid after id"],
    ["after_any", [7], "Invalid after_any id"],
    ["key", "", "Invalid key"],
    ["key", "a\nb", "Invalid key"],
    ["lock", "x".repeat(201), "Invalid lock"],
    ["key_scope", "ever", "Invalid key_scope"],
    ["key_scope", "window:", "Invalid key_scope"],
    ["on_conflict", "wait", "Invalid on_conflict"],
    ["batch", "a b", "Invalid batch"],
    ["when", "load=4", "Invalid when"],
  ];
  for (const [field, value, message] of cases) {
    const said = refusal({ [field]: value });
    assertStringIncludes(said, message);
    assert(!said.includes("\n"), said);
  }
});

Deno.test("an unknown field is refused with the nearest name", () => {
  assertEquals(refusal({ prioriti: 1 }), 'Unknown field "prioriti": did you mean "priority"?');
  assertStringIncludes(refusal({ zzzzzz: 1 }), "known are id, command, argv");
});

Deno.test("an unknown field is refused also when its value is null", () => {
  assertStringIncludes(refusal({ zzzzzz: null }), "Unknown field");
});

Deno.test("names that every object inherits are unknown fields like others", () => {
  for (const name of ["constructor", "toString", "hasOwnProperty"]) {
    assertStringIncludes(refusal({ [name]: "x" }), `Unknown field "${name}"`);
  }
  assertStringIncludes(refusal(JSON.parse('{"__proto__": "x", "command": "true"}')), "Unknown field");
});

Deno.test("a field that only the queue sets is refused as read only", () => {
  const names = ["state", "seq", "attempts", "created_at", "exit_code", "worker_id", "claim", "runs", "deduplicated"];
  for (const name of names) assertEquals(refusal({ [name]: 1 }), `Cannot set field "${name}": it is read only`);
});

Deno.test("max_attempts is a total: N attempts are N - 1 retries", () => {
  assertEquals(read({ max_attempts: 1 }).max_retries, 0);
  assertEquals(read({ max_attempts: "5" }).max_retries, 4);
});

Deno.test("older spellings mean the same field", () => {
  assertEquals(read({ retries: 2 }).max_retries, 2);
  assertEquals(read({ timeout_seconds: 5 }).timeout_ms, 5_000);
  assertEquals(read({ timeout_ms: 1_500 }).timeout_ms, 1_500);
  assertEquals(read({ next_run_at: "2026-12-01T00:00:00Z" }).run_at, Date.parse("2026-12-01T00:00:00Z"));
});

Deno.test("one field in two spellings is refused, in whichever order", () => {
  const pairs: [string, string, string][] = [
    ["max_retries", "retries", "max_retries"],
    ["retries", "max_attempts", "max_retries"],
    ["timeout", "timeout_ms", "timeout"],
    ["timeout_seconds", "timeout_ms", "timeout"],
    ["delay", "run_at", "run_at"],
    ["delay", "next_run_at", "run_at"],
  ];
  const value = (name: string) => name.endsWith("run_at") ? "+5s" : 5;
  for (const [a, b, field] of pairs) {
    assertStringIncludes(refusal({ [a]: value(a), [b]: value(b) }), `Cannot set ${field} twice`);
    assertStringIncludes(refusal({ [b]: value(b), [a]: value(a) }), `Cannot set ${field} twice`);
  }
});

Deno.test("a second spelling that is null does not count", () => {
  assertEquals(read({ retries: 2, max_retries: null }).max_retries, 2);
  assertEquals(read({ run_at: null, delay: 5 }).run_at, NOW + 5_000);
});

Deno.test("a timeout of 0 is none, also against the default", () => {
  for (const written of [{ timeout: 0 }, { timeout: "0s" }, { timeout_seconds: 0 }, { timeout_ms: 0 }]) {
    assertEquals(read(written).timeout_ms, null);
  }
});

Deno.test("a timeout may be as long in milliseconds as in seconds", () => {
  const days = 400;

  assertEquals(read({ timeout_ms: days * 86_400_000 }).timeout_ms, read({ timeout: `${days}d` }).timeout_ms);
});

Deno.test("a delay counts from now, a time stands for itself", () => {
  assertEquals(read({ delay: "5m" }).run_at, NOW + 300_000);
  assertEquals(read({ delay: 0 }).run_at, NOW);
  assertEquals(read({ run_at: "+90s" }).run_at, NOW + 90_000);
  assertEquals(read({ run_at: "2026-12-01T02:00:00+01:00" }).run_at, Date.parse("2026-12-01T01:00:00Z"));
});

Deno.test("a time more than a minute in the past is refused unless that is allowed", () => {
  const past = { run_at: "2026-11-30T10:58:00Z" };

  assertStringIncludes(refusal(past), "it is in the past");
  assertEquals(read(past, { allowPast: true }).run_at, NOW - 120_000);
  assertEquals(read({ run_at: "2026-11-30T10:59:30Z" }).run_at, NOW - 30_000);
});

Deno.test("parts of the backoff are changed one by one, the rest stays", () => {
  const written = {
    backoff_strategy: "linear",
    backoff_base: "1.5",
    backoff_delay: "10s",
    backoff_max: "1h",
    backoff_jitter: "0.2",
  };

  assertEquals(read(written).backoff, { strategy: "linear", base: 1.5, delay: 10, max: 3_600, jitter: 0.2 });
  assertEquals(read({ backoff_delay: 0.5 }).backoff, { ...DEFAULTS.backoff, delay: 0.5 });
  assertEquals(read({ backoff: { jitter: 1 } }).backoff, { ...DEFAULTS.backoff, jitter: 1 });
});

Deno.test("a backoff and its parts add up, in whichever order they come", () => {
  const expected = { ...DEFAULTS.backoff, strategy: "fixed", delay: 10, max: 30 } as const;

  assertEquals(read({ backoff: "fixed:10s", backoff_max: 30 }).backoff, expected);
  assertEquals(read({ backoff_max: 30, backoff: "fixed:10s" }).backoff, expected);
});

Deno.test("exit rules are taken whole or one by one", () => {
  const whole = { ok_on: "0,3", fail_on: "64-78", snooze_on: "75:10m", retry_on: "1,timeout" };

  assertEquals(read({ exit_rules: whole }).exit_rules, whole);
  assertEquals(read(whole).exit_rules, whole);
  assertEquals(read({ fail_on: 2 }).exit_rules, { ...NO_EXIT_RULES, fail_on: "2" });
});

Deno.test("tags are trimmed, kept once, and at most a hundred", () => {
  assertEquals(read({ tags: " b ,a,b" }).tags, ["b", "a"]);
  assertEquals(read({ tags: [] }).tags, []);
  assertStringIncludes(refusal({ tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }), "at most 100");
});

Deno.test("a relative directory is below the caller's", () => {
  assertEquals(read({ cwd: "/srv" }).cwd, "/srv");
  assertEquals(read({ cwd: "sub/dir" }).cwd, "/home/ann/sub/dir");
  assertEquals(read({ cwd: "x" }, { cwd: "/" }).cwd, "/x");
  assertStringIncludes(refusal({ cwd: "x" }, { cwd: null }), "expected an absolute directory");
});

Deno.test("a job may not set the variables that tell it who it is", () => {
  assertStringIncludes(refusal({ env: { QUEUECTL_JOB_ID: "x" } }), "are set by queuectl");
});

Deno.test("variables with any allowed name keep their value", () => {
  const env = read({ env: ["EMPTY=", "A=b=c", "__proto__=x"] }).env;

  assertEquals(Object.entries(env ?? {}), [["EMPTY", ""], ["A", "b=c"], ["__proto__", "x"]]);
});

Deno.test("a umask has three digits or more", () => {
  assertEquals(read({ umask: "7" }).umask, "007");
  assertEquals(read({ umask: "027" }).umask, "027");
  assertEquals(read({ umask: "0022" }).umask, "0022");
});

Deno.test("stdin may be empty text, which differs from none", () => {
  assertEquals(read({ stdin: "" }).stdin, "");
});

Deno.test("parseInteger() reads whole numbers and their text, and never minus zero", () => {
  for (const value of [7, "7", " 7 ", "+7", "007"]) assertEquals(parseInteger(value, "n", 0, 10), 7);
  assert(Object.is(parseInteger("-0", "n", -1, 1), 0));
  for (const value of [NaN, Infinity, "7.0", "1e1", "0x7", "", " ", null, [7], "9".repeat(20)]) {
    assertThrows(() => parseInteger(value, "n", 0, 10), InvalidValueError, "Invalid n");
  }
});

Deno.test("parseName() takes the letters of an id", () => {
  for (const name of ["a", "0", "mail.out:eu-1_x", "q".repeat(128)]) assertEquals(parseName(name, "queue"), name);
  for (const name of ["", ".a", "a/b", "a b", "a\n", "ü", "q".repeat(129)]) {
    assertThrows(() => parseName(name, "queue"), InvalidValueError, "Invalid queue");
  }
});

Deno.test("optionsOf() gives what is stored beside the columns", () => {
  const { backoff, kill_grace_ms, exit_rules, cwd, env, secret_env, stdin, umask, nice, limits, keep_output } = read({
    nice: 3,
  });
  const { after, after_any, key_scope, on_conflict } = read({});

  assertEquals(optionsOf(read({ nice: 3 })), {
    backoff,
    kill_grace_ms,
    exit_rules,
    cwd,
    env,
    secret_env,
    stdin,
    umask,
    nice,
    limits,
    keep_output,
    after,
    after_any,
    key_scope,
    on_conflict,
  });
});

Deno.test("expires takes a duration from now on, or a time", () => {
  assertEquals(read({ expires: "2h" }).expires_at, DEFAULTS.now + 7_200_000);
  assertEquals(read({ expires: "+30s" }).expires_at, DEFAULTS.now + 30_000);
  const time = new Date(DEFAULTS.now + 60_000).toISOString();
  assertEquals(read({ expires: time }).expires_at, DEFAULTS.now + 60_000);
  assertEquals(
    refusal({ expires: "1h", expires_at: time }),
    "Cannot set expires_at twice: it is also given as expires",
  );
});

Deno.test("an empty list of parents is none, an empty text a mistake", () => {
  assertEquals(read({ after: [] }).after, null);
  assertEquals(read({ after: "a,,b," }).after, ["a", "b"]);
  assertEquals(refusal({ after_any: "" }), 'Invalid after_any "": expected ids of jobs');
  assertEquals(refusal({ after: ["a", " "] }), 'Invalid after " ": expected ids of jobs');
});

Deno.test("what is said about a key needs a key", () => {
  assertEquals(refusal({ key_scope: "waiting" }), "Cannot set key_scope without key");
  assertEquals(refusal({ on_conflict: "fail" }), "Cannot set on_conflict without key");
  assertEquals(read({ key: "k", key_scope: "waiting", on_conflict: "replace" }).key_scope, "waiting");
});
