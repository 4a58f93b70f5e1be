/**
 * Every command on a terminal, over a database whose rows try to drive it: ids,
 * commands, tags, reasons, names of queues, pools and workers, and the path.
 *
 * A command that is not in the list below fails the test.
 */
import { assert, assertEquals } from "@std/assert";
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { UsageError } from "../../lib/core/errors.ts";
import { parse } from "../../lib/cli/parse.ts";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { execute } from "../support/sqlite_database.ts";

/**
 * Title of the window, clearing in two ways, concealed and red text, bell, backspaces, turned direction, characters
 * without width, a tag, a line that looks like ours, and a carriage return that would overwrite.
 */
const EVIL = "E\x1b]0;OWNED\x07\x1b[2J\x9b2J\x1b[8m\x1b[31mRED\b\b\u202egpj\u2066\u200b\u2060\u00ad\u{e0041}\u2028" +
  "\rOVER\nqueuectl: FORGED\x7f";

/** What must not come out. Line ends, tabs and carriage returns are looked at apart. */
const DRIVES = new RegExp(
  String
    .raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]`,
  "u",
);

/** What is of ours: styles, the end of a progress line, and what the terminal echoes for the end of its input. */
// deno-lint-ignore no-control-regex -- ESC is what it looks for
const OURS = /\x1b\[(?:1|2|22|3[12346]|39)m|\x1b\[K|\^D\x08\x08/g;

/** Some lines wait, so that several at once cost nothing. */
const LANES = 4;

const FORMATS = ["table", "plain", "json"] as const;

/** Ids of hostile jobs, by state. */
const dead = `${EVIL}dead`;
const pending = `${EVIL}pending`;
const completed = `${EVIL}completed`;

/** Each line runs on a copy of the database, in each format. */
const LINES: readonly (readonly string[])[] = [
  ["enqueue", "true"],
  ["enqueue", "--id", EVIL, "true"],
  ["enqueue", "--key", EVIL, EVIL],
  ["enqueue", `{"command": "true", ${JSON.stringify(EVIL)}: 1}`],
  ["enqueue", `@${EVIL}`],
  ["enqueue", "--cwd", EVIL, "true"],
  ["enqueue-batch", EVIL],
  ["run", "--queue", EVIL, "true"],
  ["run", "--max-retries", "0", "--cwd", "/", "--", EVIL],
  ["run", "--max-retries", "0", "--key", EVIL, "exit 7"],
  ["wait", dead],
  ["wait", dead, completed],
  ["wait", "--timeout", "1500ms", pending],
  ["list"],
  ["list", "--limit", "2"],
  ["list", "--tag", EVIL],
  ["list", "--search", EVIL],
  ["show", dead],
  ["show", pending],
  ["show", EVIL],
  ["-v", "show", EVIL],
  ["output", dead],
  ["output", pending],
  ["logs", dead],
  ["logs", "--timestamps", dead],
  ["why", dead],
  ["why", pending],
  ["cancel", pending],
  ["cancel", completed],
  ["cancel", "--queue", EVIL],
  ["cancel", "--queue", EVIL, "--yes"],
  ["retry", dead],
  ["retry", EVIL],
  ["edit", pending, "--priority", "5"],
  ["edit", pending, "--command", EVIL],
  ["dlq", "list"],
  ["dlq", "show", dead],
  ["dlq", "retry", dead],
  ["dlq", "purge"],
  ["dlq", "purge", "--yes"],
  ["queue", "list"],
  ["queue", "set", EVIL, "--concurrency", "2"],
  ["queue", "pause", EVIL],
  ["queue", "resume", EVIL],
  ["queue", "clear", EVIL],
  ["queue", "clear", EVIL, "--yes"],
  ["queue", "remove", EVIL],
  ["batch", "list"],
  ["batch", "show", EVIL],
  ["batch", "seal", EVIL],
  ["template", "create", EVIL, "--queue", "x"],
  ["template", "create", "fine", "--command", EVIL],
  ["template", "list"],
  ["template", "show", EVIL],
  ["template", "remove", EVIL],
  ["config", "list"],
  ["config", "list", "--show-origin"],
  ["config", "get", "shell"],
  ["config", "get", EVIL],
  ["config", "set", "shell", EVIL],
  ["config", "set", "redact", EVIL],
  ["config", "unset", "shell"],
  ["status"],
  ["stats"],
  ["stats", "--queue", EVIL],
  ["metrics"],
  ["metrics", "--prometheus"],
  ["audit"],
  ["doctor"],
  ["doctor", "--fix"],
  ["doctor", "--salvage", `${EVIL}salvaged`],
  ["cleanup", "--older-than", "1s", "--dry-run"],
  ["cleanup", "--older-than", "1s", "--yes"],
  ["backup", `${EVIL}backup`],
  ["backup", "/dev/null/x"],
  ["restore", EVIL],
  ["restore", "--yes", "template.db"],
  ["export", "-"],
  ["export", `${EVIL}export`],
  ["import", EVIL],
  ["import", "evil.ndjson"],
  ["worker", "status"],
  ["worker", "logs"],
  ["worker", "run", "--drain", "--no-wait-retries"],
  ["worker", "start", "--pool", EVIL],
  ["worker", "scale", "--pool", EVIL, "1"],
  ["worker", "restart", "--pool", EVIL],
  ["worker", "stop", "--pool", EVIL],
  ["service", "print"],
  ["service", "print", "--name", EVIL],
  ["service", "install", "--dir", `${EVIL}units`],
  ["service", "uninstall", "--dir", `${EVIL}units`],
  ["completions", "bash"],
  ["completions", "bash", "install"],
  ["completions", "bash", "uninstall"],
  ["completions", EVIL],
  ["man", "enqueue"],
  ["man", "install", "--dir", `${EVIL}man`],
  ["man", "uninstall", "--dir", `${EVIL}man`],
  ["version"],
  ["version", "--licenses"],
  ["help"],
  ["help", EVIL],
];

/** Words that are no command at all. */
const UNREADABLE: readonly (readonly string[])[] = [[EVIL], ["list", `--${EVIL}`], ["list", "--format", EVIL]];

Deno.test("every visible command is in the list of those that are tried", async () => {
  const tried = new Set<string>();
  for (const line of LINES) {
    const input = await parse(line, COMMAND_TABLE).catch((error: unknown) => {
      // Some words are refused, which is what the line is for; they do not count.
      if (!(error instanceof UsageError)) throw error;
    });
    if (input !== undefined) tried.add(input.spec.name);
  }

  const visible = COMMAND_TABLE.commands.filter(({ hidden }) => !hidden).map(({ name }) => name);

  assertEquals(visible.filter((name) => !tried.has(name)), []);
});

Deno.test("no command lets rows of a database or a path drive the terminal", async () => {
  await using box = await sandbox();
  const folder = await hostileFolder(box);
  const troubles: string[] = [];
  let shown = 0;
  const left = [...LINES, ...UNREADABLE];
  const tryRest = async (lane: number) => {
    for (let line = left.shift(); line !== undefined; line = left.shift()) {
      for (const [format, output] of Object.entries(await onTerminal(box, { folder, lane, line }))) {
        const found = misled(output);
        if (found !== undefined) troubles.push(`${JSON.stringify(line)} as ${format}: ${found}`);
        if (output.includes("OWNED")) shown++;
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => tryRest(lane)));

  assertEquals(troubles, []);
  // The rows were really there to be seen.
  assert(shown > 100, `only ${shown} outputs held hostile text`);
});

Deno.test("completion offers no value that would drive a terminal or hide characters", async () => {
  await using box = await sandbox();
  const folder = await hostileFolder(box);
  const db = `${folder}/template.db`;
  await box.ok(["--db", db, "enqueue", "--id", "good", "--queue", "fine", "true"]);

  for (
    const [kind, good] of [["job", "good"], ["queue", "fine"], ["tag", ""], ["batch", ""], ["pool", ""], [
      "template",
      "",
    ]]
  ) {
    const { stdout } = await box.run(["--db", db, "__complete", kind ?? "", "--describe"]);
    const lines = stdout.split("\n").filter((line) => line !== "");

    assertEquals(lines.filter((line) => DRIVES.test(line)), []);
    assertEquals(lines.some((line) => line.split("\t")[0]?.startsWith("E") === true), false, kind);
    if (good !== "") assert(lines.some((line) => line.startsWith(`${good}\t`)), `${kind}: ${stdout}`);
  }
});

/** What is wrong with an output; undefined: nothing. */
function misled(output: string): string | undefined {
  // deno-lint-ignore no-control-regex -- ESC is what it looks for
  if (/\x1b\[31m(RED|\\x08)/.test(output)) return "a style of a row came out";
  if (output.includes("\rOVER")) return "a carriage return of a row came out";
  if (/^queuectl: FORGED/m.test(output)) return "a row began a line of its own";
  const rest = output.replaceAll(OURS, "");
  const at = rest.search(DRIVES);
  return at < 0 ? undefined : JSON.stringify(rest.slice(Math.max(0, at - 60), at + 20));
}

/** What a command prints on a terminal, by format; each on a database of its own. */
async function onTerminal(
  box: Sandbox,
  { folder, lane, line }: { folder: string; lane: number; line: readonly string[] },
): Promise<Record<string, string>> {
  // The words come by the environment, so that nothing has to be quoted for `script`.
  const env: Record<string, string> = {
    QUEUECTL: box.binary,
    FOLDER: folder,
    LANE: String(lane),
    HOME: box.home,
    SHELL: "/bin/sh",
  };
  line.forEach((word, i) => env[`WORD_${i}`] = word);
  const words = line.map((_, i) => `"$WORD_${i}"`).join(" ");
  // Without man(1) the page is shown by queuectl itself.
  const path = line[0] === "man" ? "PATH=/nowhere " : "";
  const steps = FORMATS.map((format) => {
    // A format that is asked for twice is an error of its own.
    const flag = line.includes("--format") ? "" : `--format ${format}`;
    return `rm -rf case$LANE.db case$LANE.db.d; cp template.db case$LANE.db; cp -r template.db.d case$LANE.db.d; ` +
      `printf '\\n@@%s\\n' ${format}; ${path}QUEUECTL_DB="$PWD/case$LANE.db" "$QUEUECTL" ${flag} ${words}`;
  });
  const script = `cd "$FOLDER"; stty -echo cols 200; ${steps.join("; ")}; printf '\\n@@end\\n'`;
  // Whatever asks is refused: the answers wait in the terminal.
  const stdin = "n\n".repeat(10);
  const { stdout } = await box.run(["-qec", script, "/dev/null"], { program: "/usr/bin/script", env, stdin });
  const pieces = stdout.split(/^@@\w+\r?\n/m);
  assertEquals(pieces.length, FORMATS.length + 2, `${JSON.stringify(line)} did not come to its end: ${stdout}`);
  return Object.fromEntries(FORMATS.map((format, i) => [format, pieces[i + 1] ?? ""]));
}

/** A folder with a hostile name, in it `template.db` whose every text is hostile, and what commands may read. */
async function hostileFolder(box: Sandbox): Promise<string> {
  const folder = `${box.directory}/${EVIL.replaceAll("/", "")}`;
  await Deno.mkdir(folder);
  const db = `${folder}/template.db`;
  const run = (args: readonly string[]) => box.run(["--db", db, ...args], { cwd: folder });
  for (
    const [id, command] of [["completed", "true"], ["dead", "printf '%s' \"$EVIL\"; printf '%s' \"$EVIL\" >&2; exit 3"]]
  ) {
    await run(["enqueue", "--id", id ?? "", "--max-retries", "0", "--tag", "tag", "--batch", "batch", command ?? ""]);
  }
  await box.run(["--db", db, "worker", "run", "--drain"], { cwd: folder, env: { EVIL: EVIL.replace("\n", " ") } });
  await run(["enqueue", "--id", "pending", "--queue", "q", "--tag", "tag", "--batch", "batch", "--key", "k", "true"]);
  await run(["enqueue", "--id", "waits", "--lock", "l", "--when", "file:/nowhere", "--delay", "1h", "true"]);
  await run(["template", "create", "template", "--command", "true", "--tag", "tag"]);
  await run(["queue", "set", "q", "--concurrency", "1"]);
  await run(["config", "set", "shell", "/bin/sh"]);

  const evil = `'${EVIL}'`;
  const json = `'${JSON.stringify([EVIL])}'`;
  const now = Date.now();
  execute(
    db,
    `
    update jobs set id = ${evil} || id, command = ${evil} || coalesce(command, ''), tags = ${json}, lock = ${evil},
      key = case when key is null then null else ${evil} end, template = ${evil},
      batch = case when batch is null then null else ${evil} end, gate = case when gate is null then null else ${evil} end,
      schedule = ${evil}, worker_id = ${evil}, signal = ${evil}, reason = ${evil}, queue = ${evil},
      options = json_set(options, '$.cwd', ${evil}, '$.secret_env', json(${json}), '$.after', json(${json}),
        '$.env', json('${JSON.stringify({ [EVIL]: EVIL })}'));
    update job_tags set tag = ${evil};
    update runs set reason = ${evil}, signal = ${evil}, worker_id = ${evil};
    update queues set name = ${evil} where name = 'q';
    update batches set name = ${evil}, done_job_id = ${evil}, on_done = '${JSON.stringify({ command: EVIL })}';
    update templates set name = ${evil}, job = '${JSON.stringify({ command: EVIL, tags: [EVIL], queue: EVIL })}';
    update settings set value = ${evil};
    update audit set user = ${evil}, host = ${evil}, action = ${evil}, target = ${evil}, detail = ${evil};
    delete from maintenance;
    insert into maintenance values (${evil}, ${now}, '${JSON.stringify({ [EVIL]: 3 })}', ${evil});
    insert into workers (id, pool, host, boot_id, pid_namespace, pid, process_start, queues, slots, version, state,
      started_at, beat_at, trouble) values (${evil}, ${evil}, ${evil}, ${evil}, ${evil}, 1, ${evil}, ${json}, 1, ${evil},
      'running', ${now}, ${now}, ${evil});
    insert into pools (name, host, count, queues, version, supervisor_pid, supervisor_start, trouble, beat_at, created_at,
      updated_at) values (${evil}, ${evil}, 1, ${json}, ${evil}, 1, ${evil}, ${evil}, ${now}, ${now}, ${now});
    `,
  );
  await Deno.writeTextFile(
    `${folder}/evil.ndjson`,
    JSON.stringify({ id: "imported", command: EVIL, reason: EVIL }) + "\n",
  );
  const entry = { time: new Date(now).toISOString(), level: "error", event: EVIL, pool: EVIL, role: EVIL, pid: 1 };
  await Deno.writeTextFile(
    `${db}.d/logs/worker-default.log`,
    JSON.stringify({ ...entry, fields: { [EVIL]: EVIL } }) + "\n",
  );
  return folder;
}
