import { assert, assertEquals, assertMatch } from "@std/assert";
import { bothLoggers, fileLogger, type FileLoggerOptions } from "../../../lib/log/file_logger.ts";
import { lastEntries, LogReader, poolsWithLogs } from "../../../lib/log/read_log.ts";
import { RotatingFile } from "../../../lib/log/rotating_file.ts";
import { START } from "../../support/fake_clock.ts";
import { tempDirectory } from "../../support/temp_store.ts";

function aLogger(folder: string, overrides: Partial<FileLoggerOptions> = {}) {
  const pool = overrides.pool ?? "default";
  return fileLogger({
    path: `${folder}/worker-${pool}.log`,
    pool,
    role: "worker",
    pid: 7,
    level: () => "info",
    now: () => START,
    ...overrides,
  });
}

/** For a script outside this folder that imports from lib/. */
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

Deno.test("a log line is one JSON object with time, level, event and fields", async () => {
  await using temp = await tempDirectory();
  const log = aLogger(temp.path);

  log.info("job finished", { id: "a\nb", ms: 118, reason: undefined });
  log.close();

  const text = await Deno.readTextFile(`${temp.path}/worker-default.log`);
  assertEquals(
    text,
    `{"time":"${
      new Date(START).toISOString()
    }","level":"info","event":"job finished","pool":"default","role":"worker","pid":7,` +
      `"fields":{"id":"a\\nb","ms":118}}\n`,
  );
  assertEquals((await Deno.stat(`${temp.path}/worker-default.log`)).mode! & 0o777, 0o600);
});

Deno.test("lines below the level are left out, and the level may change", async () => {
  await using temp = await tempDirectory();
  let level: "debug" | "warn" = "warn";
  const log = aLogger(temp.path, { level: () => level });

  log.info("unseen");
  log.error("seen");
  level = "debug";
  log.debug("seen too");
  log.close();

  assertEquals(lastEntries(temp.path, "default").map(({ event }) => event), ["seen", "seen too"]);
});

Deno.test("a log that cannot be written loses its lines, says so, and fails nobody", async () => {
  await using temp = await tempDirectory();
  await Deno.writeTextFile(`${temp.path}/file`, "");
  const log = aLogger(temp.path, { path: `${temp.path}/file/worker-default.log` });
  assertEquals(log.trouble(), null);

  log.info("one");
  log.info("two");

  assertMatch(log.trouble() ?? "", /^2 log lines were not written: /);
});

Deno.test("bothLoggers() writes every line twice", async () => {
  await using temp = await tempDirectory();
  const [a, b] = [aLogger(temp.path, { pool: "a" }), aLogger(temp.path, { pool: "b" })];

  bothLoggers(a, b).warn("look", { n: 1 });
  a.close();
  b.close();

  for (const pool of ["a", "b"]) assertEquals(lastEntries(temp.path, pool).map(({ fields }) => fields), [{ n: 1 }]);
});

Deno.test("a full file is set aside, and the oldest goes", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/log`;
  // A new RotatingFile each time, because one looks at its size only now and then.
  for (let i = 0; i < 12; i++) {
    const file = new RotatingFile(path, { maxBytes: 20, maxFiles: 3 });
    file.append(`line ${i}.....\n`);
    file.close();
  }

  const names = [...Deno.readDirSync(temp.path)].map(({ name }) => name).sort();
  assertEquals(names, ["log", "log.1", "log.2"]);
  assertEquals(
    ["log.2", "log.1", "log"].map((name) => Deno.readTextFileSync(`${temp.path}/${name}`)).join(""),
    [6, 7, 8, 9, 10, 11].map((i) => `line ${i}.....\n`).join(""),
  );
});

Deno.test("several processes that write to one small log lose no line and break none", async () => {
  await using temp = await tempDirectory();
  const script = `
    import { RotatingFile } from ${JSON.stringify(new URL("../../../lib/log/rotating_file.ts", import.meta.url).href)};
    const [path, name] = Deno.args;
    for (let i = 0; i < 400; i++) {
      const file = new RotatingFile(path, { maxBytes: 4_000, maxFiles: 100 });
      file.append(name + " " + i + " " + "x".repeat(40) + "\\n");
      file.close();
    }`;
  const program = `${temp.path}/write.ts`;
  await Deno.writeTextFile(program, script);

  const results = await Promise.all(["a", "b", "c"].map((name) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", "--quiet", "--config", CONFIG, program, `${temp.path}/log`, name],
    }).output()
  ));

  assertEquals(results.map(({ code, stderr }) => [code, new TextDecoder().decode(stderr)]), [[0, ""], [0, ""], [
    0,
    "",
  ]]);
  const lines = [...Deno.readDirSync(temp.path)].filter(({ name }) => name.startsWith("log")).flatMap(({ name }) =>
    Deno.readTextFileSync(`${temp.path}/${name}`).split("\n").filter((line) => line !== "")
  );
  assertEquals(lines.filter((line) => !/^[abc] \d+ x{40}$/.test(line)), []);
  assertEquals(new Set(lines).size, 1_200);
});

Deno.test("logs of several pools are read as one, in order of time, old files first", async () => {
  await using temp = await tempDirectory();
  const at = (ms: number, pool: string, event: string) => {
    const log = aLogger(temp.path, { pool, now: () => START + ms });
    log.info(event);
    log.close();
  };
  at(1, "a", "first");
  await Deno.rename(`${temp.path}/worker-a.log`, `${temp.path}/worker-a.log.1`);
  at(3, "a", "third");
  at(2, "b", "second");
  at(4, "b", "fourth");
  await Deno.writeTextFile(`${temp.path}/worker-b.log`, '{"time":"cut sho\nnot JSON\n', { append: true });

  assertEquals(poolsWithLogs(temp.path), ["a", "b"]);
  const reader = new LogReader(temp.path, ["a", "b"]);
  const events = [...reader.next()].map(({ event }) => event);
  reader.close();

  assertEquals(events, ["first", "second", "third", "fourth"]);
});

Deno.test("who follows a log sees what comes, also over a renaming", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/worker-default.log`;
  const write = (event: string) => {
    const log = aLogger(temp.path);
    log.info(event);
    log.close();
  };
  const reader = new LogReader(temp.path, ["default"]);
  const next = () => [...reader.next()].map(({ event }) => event);

  assertEquals(next(), []);
  write("one");
  assertEquals(next(), ["one"]);
  const slow = aLogger(temp.path);
  slow.info("two");
  await Deno.rename(path, `${path}.1`);
  assertEquals(next(), ["two"]);
  // Within its moment it writes to the file that it has open.
  slow.info("three");
  slow.close();
  write("four");
  const rest = [...next(), ...next()];
  reader.close();

  assert(rest.includes("three") && rest.includes("four"), rest.join());
  assertEquals(rest.length, 2);
});

Deno.test("a folder without logs has no pools and no entries", async () => {
  await using temp = await tempDirectory();

  assertEquals(poolsWithLogs(`${temp.path}/nowhere`), []);
  assertEquals(lastEntries(temp.path, "default"), []);
});
