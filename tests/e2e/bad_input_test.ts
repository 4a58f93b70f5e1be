/**
 * What a user may get wrong: each is answered with one sentence and the right
 * exit code, and leaves the queue as it was.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type RunOptions, sandbox } from "../support/binary.ts";
import { execute, query } from "../support/sqlite_database.ts";

interface Mistake {
  readonly args: readonly string[];
  /** Default: 2. */
  readonly code?: number;
  /** The sentence, without `queuectl: `. */
  readonly says: RegExp;
  /** What is suggested, if anything. */
  readonly hint?: string;
  readonly stdin?: string;
}

const A_YEAR_AGO = new Date(Date.now() - 365 * 86_400_000).toISOString();
const TWO_MEBIBYTES = "x".repeat(2 * 1024 * 1024);

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "an unknown command": {
    args: ["enqeue", "true"],
    says: /^Unknown command "enqeue"$/,
    hint: "queuectl enqueue",
  },
  "an unknown subcommand": {
    args: ["config", "sett", "max_retries", "3"],
    says: /^Unknown command "config sett"$/,
    hint: "queuectl config set",
  },
  "an unknown flag": {
    args: ["enqueue", "--prioritty", "5", "true"],
    says: /^Unknown option "--prioritty" for "enqueue"$/,
    hint: "queuectl enqueue --priority",
  },
  "an unknown field": {
    args: ["enqueue", '{"comand":"true"}'],
    says: /^Unknown field "comand": did you mean "command"\?$/,
  },
  "a field that nobody sets": {
    args: ["enqueue", '{"command":"true","state":"completed"}'],
    says: /^Cannot set field "state": it is read only$/,
  },
  "an unknown setting": {
    args: ["config", "set", "max_retriez", "3"],
    says: /^Unknown setting "max_retriez"$/,
    hint: "queuectl config get max_retries",
  },
  "a setting out of its range": {
    args: ["config", "set", "max_retries", "-1"],
    says: /^Invalid max_retries "-1": expected a whole number from 0 to/,
  },
  "JSON that ends too early": {
    args: ["enqueue", '{"command":"true"'],
    says: /^Cannot read JSON from the command word: .* at position 17/,
  },
  "JSON with a word without quotes": {
    args: ["enqueue", '{"command": x, "id": "y"}'],
    says: /^Cannot read JSON from the command word: unexpected token 'x' at position 12 \(line 1, column 13\)$/,
  },
  "JSON with a stray comma, on its second line": {
    args: ["enqueue", "-"],
    stdin: '{"command":"true",\n  "id":"a",}\n',
    says: /^Cannot read JSON from standard input: .* at position 30 \(line 2, column 12\)$/,
  },
  "JSON that is no object": {
    args: ["enqueue", "-"],
    stdin: '["true"]',
    says: /^Cannot read a job from standard input: expected a JSON object$/,
  },
  "a file that is not there": {
    args: ["enqueue", "@job.json"],
    says: /^Cannot read "job.json": no such file$/,
  },
  "a priority that is no number": {
    args: ["enqueue", "--priority", "abc", "true"],
    says: /^Invalid priority "abc": expected a whole number from/,
  },
  "a negative timeout": {
    args: ["enqueue", "--timeout", "-5", "true"],
    says: /^Invalid timeout "-5": expected a duration such as/,
  },
  "a time that is none": {
    args: ["enqueue", "--run-at", "yesterdayish", "true"],
    says: /^Invalid run_at "yesterdayish": expected a time such as/,
  },
  "a time a year ago": {
    args: ["enqueue", "--run-at", A_YEAR_AGO, "true"],
    says: /^Invalid run_at ".*": it is in the past/,
    hint: "--allow-past where that is meant",
  },
  "an id with a slash": {
    args: ["enqueue", "--id", "a/b", "true"],
    says: /^Invalid id "a\/b": expected 1 to 128 letters/,
  },
  "an id of dots": {
    args: ["enqueue", '{"id":"..","command":"true"}'],
    says: /^Invalid id "\.\.": expected 1 to 128 letters/,
  },
  "an empty command": {
    args: ["enqueue", ""],
    says: /^Invalid command "": expected a command, not blank text$/,
  },
  "a blank command": {
    args: ["enqueue", '{"command":" \\n"}'],
    says: /^Invalid command .*: expected a command, not blank text$/,
  },
  "no command": {
    args: ["enqueue", "--priority", "5"],
    says: /^Missing command: /,
    hint: "queuectl enqueue 'sleep 5'",
  },
  "a parent that is an empty variable": {
    args: ["enqueue", "--after", "", "true"],
    says: /^Invalid after "": expected ids of jobs$/,
  },
  "an empty parent in JSON": {
    args: ["enqueue", '{"command":"true","after_any":["a",""]}'],
    says: /^Invalid after_any "": expected ids of jobs$/,
  },
  "several words without --": {
    args: ["enqueue", "sleep", "5"],
    says: /^Cannot tell the command from 2 words$/,
    hint: "queuectl enqueue -- sleep 5",
  },
  "a program with an option of its own without --": {
    args: ["enqueue", "ls", "-la"],
    says: /^Unknown option "-l/,
    hint: "queuectl enqueue -- ls -la",
  },
  "a command of 2 MiB": {
    args: ["enqueue", "-"],
    stdin: JSON.stringify({ command: `echo ${TWO_MEBIBYTES}` }),
    says: /^Invalid command "echo x+\.\.\.": expected at most 120 KiB; put longer text into a file$/,
  },
  "a command with a NUL byte": {
    args: ["enqueue", '{"command":"echo \\u0000 hi"}'],
    says: /^Invalid command "echo \\u0000 hi": expected text without NUL bytes$/,
  },
  "a raw NUL byte": {
    args: ["enqueue", "-"],
    stdin: '{"command":"echo \0 hi"}',
    says: /^Cannot read JSON from standard input: .* at position 17/,
  },
  "one field under two names": {
    args: ["enqueue", '{"command":"true","timeout":5,"timeout_ms":5000}'],
    says: /^Cannot set timeout twice: it is also given as timeout_ms$/,
  },
  "an unknown state": {
    args: ["list", "--state", "pendng"],
    says: /^Invalid state "pendng": expected /,
  },
  "an unknown format": {
    args: ["list", "--format", "xml"],
    says: /^Invalid --format "xml": expected table, json, ndjson, plain$/,
  },
  "a field that is written twice": {
    args: ["enqueue", '{"command":"true","priority":1,"priority":2}'],
    says: /^Cannot read a job from the command word: the field "priority" is written twice$/,
  },
  "a field that is written twice in a batch": {
    args: ["enqueue-batch", "-"],
    stdin: '{"command":"true"}\n{"command":"true","command":"false"}\n',
    says: /line 2.*: the field "command" is written twice$/,
  },
  "half a character": {
    args: ["enqueue", '{"command":"echo \\ud800"}'],
    says: /^Cannot read a job from the command word: half a character \(an unpaired surrogate\) in "echo/,
  },
  "a NUL in a gate": {
    args: ["enqueue", '{"command":"true","when":"file:/tmp/\\u0000x"}'],
    says: /^Invalid when ".*": expected text without NUL bytes$/,
  },
  "no slots": {
    args: ["worker", "run", "--drain", "--concurrency", "0"],
    says: /^Invalid concurrency 0: expected a whole number from 1 to 256$/,
  },
  "an id that is in use": {
    args: ["enqueue", "--id", "taken", "false"],
    code: 4,
    says: /^Cannot enqueue job "taken": /,
  },
  "an unknown id": {
    args: ["show", "nope"],
    code: 3,
    says: /^No job "nope"$/,
    hint: "queuectl list",
  },
  "the beginning of an id that a person chose": {
    args: ["show", "take"],
    code: 3,
    says: /^No job "take"$/,
    hint: "queuectl list",
  },
  "an empty --db": {
    args: ["--db", "", "enqueue", "true"],
    says: /^Invalid --db "": expected a path or a URL$/,
    hint: "--db ./queue.db",
  },
};

for (const [what, { args, code = 2, says, hint, stdin }] of Object.entries(MISTAKES)) {
  Deno.test(`${what} is refused in one sentence, and nothing is stored`, async () => {
    await using box = await sandbox();
    await box.ok(["enqueue", "--id", "taken", "--priority", "7", "true"]);
    const before = everything(box.db);
    const options: RunOptions = stdin === undefined ? {} : { stdin };

    const refused = await box.run(args, options);

    assertEquals([refused.code, refused.stdout], [code, ""], refused.stderr);
    const [sentence = "", ...more] = refused.stderr.trimEnd().split("\n");
    assert(sentence.startsWith("queuectl: "), sentence);
    assertMatch(sentence.slice("queuectl: ".length), says);
    assertEquals(more, hint === undefined ? more.slice(0, 1) : [`Try: ${hint}`]);
    assertEquals(everything(box.db), before);

    const asJson = await box.run(["--json", ...args], options);

    assertEquals([asJson.code, asJson.stdout], [code, ""]);
    const { error } = JSON.parse(asJson.stderr);
    assertMatch(error.message, says);
    assertEquals(error.code, { 2: "usage", 3: "not_found", 4: "conflict" }[code]);
  });
}

Deno.test("an ambiguous prefix is refused with the candidates", async () => {
  await using box = await sandbox();
  for (const id of ["aaaabbbbcccc", "aaaaddddeeee", "aaaazzzzzzzz"]) {
    const generated = await box.ok(["enqueue", "true"]);
    execute(box.db, `update jobs set id = '${id}' where id = '${generated}'`);
  }

  const { code, stdout, stderr } = await box.run(["show", "aaaa"]);

  assertEquals({ code, stdout, stderr }, {
    code: 3,
    stdout: "",
    stderr: 'queuectl: Ambiguous job "aaaa": it could be aaaabbbbcccc, aaaaddddeeee, aaaazzzzzzzz\n' +
      "Try: queuectl show aaaabbbbcccc\n",
  });
  assertEquals((await box.json(["show", "aaaad"])).id, "aaaaddddeeee");
});

Deno.test("a bad line in a first command makes no job and no queue", async () => {
  await using box = await sandbox();

  assertEquals((await box.run(["enqueue", "--queue", "mail", "--priority", "abc", "true"])).code, 2);

  assertEquals(await box.json(["list"]), []);
  assertEquals((await box.json<{ name: string }[]>(["queue", "list"])).filter(({ name }) => name === "mail"), []);
});

/** What the queue holds: read past the program, which would take its time for each of these. */
function everything(db: string): unknown {
  return ["jobs", "runs", "queues", "settings", "job_counts"].map((table) => query(db, `select * from ${table}`));
}
