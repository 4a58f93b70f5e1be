/**
 * What a person sees who presses Tab, in every shell alike: one database, and
 * one terminal for all tests of a file, because shells start slowly.
 * @module
 */
import { assertEquals } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { Terminal } from "./_terminal.ts";

export interface TerminalShell {
  /** As in the names of tests: `bash with bash-completion`. */
  readonly name: string;
  /** The shell, and files that it needs in the home. */
  prepare(home: string): Promise<{ command: readonly string[]; setUp?: string; prompt: string }>;
  /** Descriptions stand beside values. */
  readonly describes: boolean;
  /** How often Tab is pressed until several values are listed. */
  readonly tabsToList: number;
}

export const PATH = "/usr/local/bin:/usr/bin:/bin";

/** The environment of a shell whose `queuectl` is the compiled binary. */
export function shellEnvironment(box: Sandbox): Record<string, string> {
  return {
    HOME: box.home,
    PATH: `${box.home}/bin:${PATH}`,
    QUEUECTL_DB: box.db,
    LC_ALL: "C.UTF-8",
    // By this the test runner finds what is left running.
    QUEUECTL_TEST_RUN: Deno.env.get("QUEUECTL_TEST_RUN") ?? "",
    SHELL: "/bin/sh",
  };
}

/** A home with `bin/queuectl`, and nothing else that a shell knows. */
export async function shellSandbox(): Promise<Sandbox> {
  const box = await sandbox();
  await Deno.mkdir(`${box.home}/bin`);
  await Deno.symlink(box.binary, `${box.home}/bin/queuectl`);
  return box;
}

/** Jobs in several states, in this order: the last one is the newest. */
async function fill(box: Sandbox): Promise<void> {
  await box.ok(["enqueue", "--id", "broken-one", "--max-retries", "0", "exit 3"]);
  await box.ok(["enqueue", "--id", "broken-two", "--max-retries", "0", "exit 4"]);
  await box.ok(["enqueue", "--id", "fine", "echo fine"]);
  await box.run(["worker", "run", "--drain"]);
  await box.ok(["enqueue", "--id", "site:backup", "--queue", "mail", "--tag", "nightly", "printf 'a\x1b[31mb'"]);
  await box.ok(["enqueue", "--id", "waiting", "sleep 40"]);
  await box.ok(["queue", "set", "held", "--paused"]);
}

export function describeTerminal(shell: TerminalShell): void {
  let box: Sandbox | undefined;
  let terminal: Terminal | undefined;

  async function opened(): Promise<{ box: Sandbox; terminal: Terminal }> {
    if (box !== undefined && terminal !== undefined) return { box, terminal };
    box = await shellSandbox();
    await fill(box);
    const { command, setUp, prompt } = await shell.prepare(box.home);
    terminal = await Terminal.open({ command, directory: box.directory, env: shellEnvironment(box), prompt });
    if (setUp !== undefined) await terminal.enter(setUp);
    return { box, terminal };
  }

  // All tests share the terminal: what it opens is closed after the last.
  const test = (sentence: string, body: (terminal: Terminal, box: Sandbox) => Promise<void>) =>
    Deno.test(`${shell.name} ${sentence}`, async () => {
      const { terminal, box } = await opened();
      await body(terminal, box);
    });

  Deno.test.afterAll(async () => {
    await terminal?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
  });

  const { tabsToList: list } = shell;
  const shown = (screen: readonly string[]) => screen.slice(1).join("\n");

  test("completes ret to retry", async (terminal) => {
    await terminal.tab("queuectl ret");

    await terminal.shows(([line]) => line?.endsWith("queuectl retry") ?? false);
  });

  test("offers to retry what failed first, the newest before the others, and nothing that waits", async (terminal) => {
    await terminal.tab("queuectl retry ", list);

    const lines = (await terminal.shows((screen) => shown(screen).includes("fine"))).slice(1);
    const screen = lines.join("\n");

    // Shells fill one column after the other.
    const placeOf = (id: string) => {
      const row = lines.findIndex((line) => line.includes(id));
      return { row, column: lines[row]?.indexOf(id) ?? -1 };
    };
    const ids = ["broken-two", "broken-one", "fine"];
    const places = ids.map(placeOf);
    assertEquals(places, places.toSorted((a, b) => a.column - b.column || a.row - b.row), screen);
    assertEquals(places.some(({ row }) => row < 0), false, screen);
    assertEquals(screen.includes("waiting"), false, screen);
    assertEquals(screen.includes("dead, exit 4"), shell.describes, screen);
  });

  test("offers to cancel what is not finished, and shows no control character", async (terminal) => {
    await terminal.tab("queuectl cancel ", list);

    const screen = shown(await terminal.shows((screen) => shown(screen).includes("site:backup")));

    assertEquals(screen.includes("broken"), false, screen);
    assertEquals(screen.includes("printf 'a\\x1b[31mb'"), shell.describes, screen);
  });

  test("completes an id with a colon", async (terminal) => {
    await terminal.tab("queuectl show site:b");

    await terminal.shows(([line]) => line?.endsWith("show site:backup") ?? false);
  });

  test("leaves out an id that stands there already", async (terminal) => {
    await terminal.tab("queuectl dlq retry broken-two ");

    await terminal.shows(([line]) => line?.endsWith("dlq retry broken-two broken-one") ?? false);
  });

  test("offers the states", async (terminal) => {
    await terminal.tab("queuectl list --state ", list);

    await terminal.shows((screen) =>
      ["scheduled", "blocked", "pending", "processing", "completed", "failed", "dead", "cancelled"]
        .every((state) => shown(screen).includes(state))
    );
  });

  test("completes a state behind = and a comma", async (terminal) => {
    await terminal.tab("queuectl list --state=dead,pe");

    await terminal.shows(([line]) => line?.endsWith("--state=dead,pending") ?? false);
  });

  test("completes settings that begin alike as far as they do", async (terminal) => {
    await terminal.tab("queuectl config set back");

    await terminal.shows(([line]) => line?.endsWith("config set backoff_") ?? false);
  });

  test("offers the values of a setting", async (terminal) => {
    await terminal.tab("queuectl config set backoff_strategy ", list);

    const isThere = (screen: readonly string[]) =>
      ["exponential", "linear", "fixed"].every((strategy) => shown(screen).includes(strategy));
    await terminal.shows(isThere);
  });

  test("completes --pri to --priority, and writes nothing over the prompt", async (terminal) => {
    await terminal.tab("queuectl enqueue --pri");

    const screen = await terminal.shows(([line]) => line?.endsWith("queuectl enqueue --priority") ?? false);

    assertEquals(screen.length, 1, screen.join("\n"));
  });

  test("puts no space behind the beginning of a value", async (terminal) => {
    await terminal.tab("queuectl enqueue --backoff f");
    await terminal.shows(([line]) => line?.endsWith("--backoff fixed:") ?? false);

    await terminal.press("5", "s");

    await terminal.shows(([line]) => line?.endsWith("--backoff fixed:5s") ?? false);
  });

  test("offers to pause a queue that is not paused, and to resume one that is", async (terminal) => {
    await terminal.tab("queuectl queue resume ");
    await terminal.shows(([line]) => line?.endsWith("queue resume held") ?? false);

    await terminal.tab("queuectl queue pause ", list);
    const screen = shown(await terminal.shows((screen) => shown(screen).includes("default")));

    assertEquals([screen.includes("mail"), screen.includes("held")], [true, false], screen);
  });

  test("offers programs behind --", async (terminal) => {
    await terminal.tab("queuectl enqueue -- mkdi");

    await terminal.shows(([line]) => line?.endsWith("enqueue -- mkdir") ?? false);
  });

  test("looks into the database that --db names, and says nothing where there is none", async (terminal, box) => {
    await box.ok(["--db", `${box.directory}/other.db`, "enqueue", "--id", "elsewhere", "true"]);
    await terminal.tab(`queuectl --db other.db job show els`);
    await terminal.shows(([line]) => line?.endsWith("job show elsewhere") ?? false);

    await Deno.writeTextFile(`${box.directory}/broken.db`, "this is no database");
    for (const name of ["missing.db", "broken.db"]) {
      await terminal.tab(`queuectl --db ${name} job show els`);
      // The shell has read the Tab when it shows what is typed after it.
      await terminal.press("x");
      const screen = await terminal.shows(([line]) => line?.endsWith("show elsx") ?? false);
      assertEquals(screen.length, 1, screen.join("\n"));
    }
    const files = [...Deno.readDirSync(box.directory)].map(({ name }) => name);
    assertEquals(files.filter((name) => /^(missing|broken)/.test(name)), ["broken.db"]);
  });

  test("offers the pools that run here to be stopped", async (terminal, box) => {
    await box.ok(["worker", "start", "--pool", "night"]);
    try {
      await terminal.tab("queuectl worker stop --pool ");

      await terminal.shows(([line]) => line?.endsWith("--pool night") ?? false);
    } finally {
      await box.ok(["worker", "stop", "--force"]);
    }
  });
}
