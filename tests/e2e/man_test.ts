/** `man`, `man install` and `man uninstall`, and what man(1) makes of the pages. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { manualPages } from "../../lib/cli/manual/pages.ts";
import { type Sandbox, sandbox } from "../support/binary.ts";

const PAGES = manualPages(COMMAND_TABLE);

/** How man(1) shows a page on a terminal of so many columns, and what it warns of. */
async function shown(box: Sandbox, file: string, columns: number): Promise<{ text: string; warnings: string }> {
  const env = { MANWIDTH: String(columns), MAN_KEEP_STDERR: "1", LC_ALL: "C.UTF-8", MANROFFOPT: "-ww" };
  const { code, stdout, stderr } = await box.run(["--warnings", "-l", file], { program: "man", env });
  assertEquals(code, 0, stderr);
  return { text: stdout, warnings: stderr };
}

Deno.test("man shows each page without a warning, and within 80 columns", async () => {
  await using box = await sandbox();
  const folder = await box.ok(["-q", "man", "install", "--dir", "pages"]);

  for (const { name } of PAGES) {
    const { text, warnings } = await shown(box, `${folder}/${name}.1`, 80);
    assertEquals(warnings, "", name);
    assertEquals(text.split("\n").filter((line) => line.length > 80), [], name);
    assertMatch(text, new RegExp(`^${name.toUpperCase()}\\(1\\) .*queuectl manual`), name);
    assertStringIncludes(text, `queuectl ${config.version}`);
    assertEquals(/[^\n\x20-\x7e]/.exec(text), null, `${name}: a character that a shell would not take`);
  }
});

Deno.test("man tells of a line that roff cannot read, so that the test above can fail", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/bad.1`, ".TH BAD 1\n.SH NAME\nbad \\- bad\n.PP\n.NOSUCHREQUEST\n");

  const { warnings } = await shown(box, `${box.directory}/bad.1`, 80);

  assertMatch(warnings, /warning/);
});

Deno.test("the NAME line of each page gives its names and its sentence to whatis", async () => {
  await using box = await sandbox();
  const folder = await box.ok(["-q", "man", "install", "--dir", "pages"]);

  for (const { name, otherNames, summary } of PAGES) {
    const found = await box.ok([`${folder}/${name}.1`], { program: "lexgrog" });
    const wanted = [name, ...otherNames].map((known) => `${folder}/${name}.1: "${known} - ${summary}"`);
    assertEquals(found.split("\n").sort(), wanted.sort());
  }
});

Deno.test("every command's first word is found by man once its pages are installed", async () => {
  await using box = await sandbox();
  const home = `${box.home}/.local`;
  await box.ok(["-q", "man", "install", "--dir", `${home}/share/man`]);
  const env = { MANPATH: `${home}/share/man` };

  const words = new Set(COMMAND_TABLE.commands.filter(({ hidden }) => !hidden).map(({ name }) => name.split(" ")[0]));
  for (const word of words) {
    const { code, stdout, stderr } = await box.run([`queuectl-${word}`], { program: "man", env });
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, `queuectl ${word}`);
  }
});

Deno.test("man-db finds the pages of a user whose ~/.local/bin is on PATH", async () => {
  await using box = await sandbox();
  const local = `${box.home}/.local`;
  await Deno.mkdir(`${local}/bin`, { recursive: true });
  const env = { XDG_DATA_HOME: undefined, PATH: `${local}/bin:${Deno.env.get("PATH")}` };

  const { stderr } = await box.run(["man", "install", "--dir", `${local}/share/man`], { env });

  assertEquals(stderr.includes("man looks there as soon as"), false, stderr);
  assertEquals(await box.ok(["-w", "queuectl"], { program: "man", env }), `${local}/share/man/man1/queuectl.1`);
  const apart = await box.run(["man", "install", "--dir", `${local}/share/man`]);
  assertStringIncludes(apart.stderr, `man looks there as soon as ${local}/bin is on PATH`);
});

Deno.test("man install prints its folder, writes nothing twice, and uninstall leaves nothing", async () => {
  await using box = await sandbox();
  const dir = `${box.directory}/with space`;
  await Deno.mkdir(dir);

  const first = await box.run(["man", "install", "--dir", `${dir}/man`]);
  const times = await timesIn(`${dir}/man/man1`);
  const second = await box.json(["man", "install", "--dir", `${dir}/man/man1`]);

  assertEquals([first.code, first.stdout], [0, `${dir}/man/man1\n`]);
  assertEquals([second.dir, second.written, second.removed], [`${dir}/man/man1`, [], []]);
  assertEquals(second.unchanged, second.pages);
  assertEquals(await timesIn(`${dir}/man/man1`), times);
  assertEquals([...times.keys()].sort(), [...second.pages].sort());

  const removed = await box.json(["man", "uninstall", "--dir", `${dir}/man`]);
  const again = await box.run(["man", "uninstall", "--dir", `${dir}/man`]);

  assertEquals([...removed.removed].sort(), [...second.pages].sort());
  assertEquals((await Array.fromAsync(Deno.readDir(dir))).length, 0);
  assertEquals([again.code, again.stderr], [0, "There was nothing to remove\n"]);
});

Deno.test("pages are for everybody to read, whatever the umask", async () => {
  await using box = await sandbox();

  await box.ok(["-c", 'umask 077; exec "$@"', "sh", box.binary, "-q", "man", "install", "--dir", "man"], {
    program: "sh",
  });

  const modes = ["man", "man/man1", "man/man1/queuectl.1"].map((path) =>
    Deno.statSync(`${box.directory}/${path}`).mode
  );
  assertEquals(modes.map((mode) => (mode ?? 0) & 0o777), [0o755, 0o755, 0o644]);
});

Deno.test("a page that queuectl did not write is neither replaced nor removed, and none is written beside it", async () => {
  await using box = await sandbox();
  const folder = `${box.directory}/man/man1`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/queuectl.1`, "mine\n");

  const { code, stdout, stderr } = await box.run(["man", "install", "--dir", "man"]);

  assertEquals([code, stdout], [4, ""]);
  assertStringIncludes(stderr, `Cannot write "${folder}/queuectl.1": it is there, and queuectl did not write it`);
  assertEquals(await namesIn(folder), ["queuectl.1"]);
  assertEquals((await box.json(["man", "uninstall", "--dir", "man"])).removed, []);
  assertEquals(await Deno.readTextFile(`${folder}/queuectl.1`), "mine\n");
});

Deno.test("man install replaces changed pages of an earlier version, and removes those that are no more", async () => {
  await using box = await sandbox();
  const folder = await box.ok(["-q", "man", "install", "--dir", "man"]);
  const page = await Deno.readTextFile(`${folder}/queuectl-run.1`);
  await Deno.writeTextFile(`${folder}/queuectl-run.1`, page.replace("SYNOPSIS", "OLD SYNOPSIS"));
  await Deno.writeTextFile(`${folder}/queuectl-gone.1`, page);

  const { written, removed } = await box.json(["man", "install", "--dir", "man"]);

  assertEquals([written, removed], [["queuectl-run.1"], ["queuectl-gone.1"]]);
  assertEquals(await Deno.readTextFile(`${folder}/queuectl-run.1`), page);
});

Deno.test("what cannot be written is told with the path, and nothing half written is left", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/man/man1/queuectl-run.1`, { recursive: true });
  await Deno.writeTextFile(`${box.directory}/file`, "");

  const isFolder = await box.run(["man", "install", "--dir", "man"]);
  const belowFile = await box.run(["man", "install", "--dir", "file"]);
  const both = await box.run(["man", "install", "--dir", "man", "--system"]);
  const empty = await box.run(["man", "install", "--dir", ""]);

  assertEquals([isFolder.code, belowFile.code, both.code, empty.code], [1, 1, 2, 2]);
  assertStringIncludes(isFolder.stderr, `/man/man1/queuectl-run.1": is a directory`);
  assertStringIncludes(belowFile.stderr, "not a directory");
  assertEquals(await namesIn(`${box.directory}/man/man1`), ["queuectl-run.1"]);
});

Deno.test("man PAGE prints roff in a pipe, and JSON when asked", async () => {
  await using box = await sandbox();

  const page = await box.ok(["man", "worker", "start"]);
  const described = await box.json(["man", "queuectl-worker"]);

  assertMatch(page, /^\.TH "QUEUECTL\\-WORKER" "1"/m);
  assertEquals([described.name, described.section, described.roff], ["queuectl-worker", 1, `${page}\n`]);
  const unknown = await box.run(["man", "wroker"]);
  assertEquals(unknown.code, 2);
  assertMatch(unknown.stderr, /^queuectl: Unknown command "wroker"\nTry: queuectl worker$/m);
});

Deno.test("man PAGE on a terminal goes through man, and is plain text where there is no man that can show it", async () => {
  await using box = await sandbox();
  const onTerminal = async (path: string) => {
    const line = `stty cols 80; PATH='${path}' '${box.binary}' --no-color man dlq`;
    const { stdout } = await box.run(["-qec", line, "/dev/null"], { program: "script", env: { MANPAGER: "cat" } });
    return stdout.replaceAll("\r", "");
  };

  const byMan = await onTerminal(Deno.env.get("PATH") ?? "");
  const plain = await onTerminal(box.directory);
  await Deno.writeTextFile(`${box.directory}/man`, "#!/bin/sh\necho bad argument >&2; exit 5\n", { mode: 0o755 });
  const byBrokenMan = await onTerminal(box.directory);

  assertMatch(byMan, /QUEUECTL-DLQ\(1\) +queuectl manual +QUEUECTL-DLQ\(1\)/);
  assertMatch(plain, /^NAME\n +queuectl-dlq - look at, retry or remove dead jobs\n/);
  assert(!plain.includes(".TH"), "it is roff");
  assertEquals(byBrokenMan, plain);
});

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

async function timesIn(folder: string): Promise<Map<string, number | undefined>> {
  const names = await namesIn(folder);
  return new Map(names.map((name) => [name, Deno.statSync(`${folder}/${name}`).mtime?.getTime()]));
}
