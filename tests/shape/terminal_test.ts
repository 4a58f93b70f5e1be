/**
 * Everything that is written to the terminal goes through one door, which makes
 * visible what would drive it. The few that write past it are named here.
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const LIB = new URL("../../lib/", import.meta.url).pathname;

/** The only file that touches the two streams. */
const STREAMS = "cli/output/streams.ts";

/** Who calls it, and how the text is made safe there; `exact`: it has to come out byte for byte. */
const WRITERS: Readonly<Record<string, RegExp>> = {
  "cli/make_context.ts": /^write(Out|Err)\((shown(Text|Line)\(|`(queuectl: warning: )?\$\{shown(Text|Line)\(|bytes\))/,
  "cli/report_error.ts":
    /^writeErr\((shownText\(|visibleJson\(|`\$\{label\} \$\{oneLine\(message\)|`Try: \$\{oneLine\(hint\))/,
  "cli/confirm.ts": /^writeErr\(`\$\{shownLine\(/,
  "cli/output/progress.ts": /^writeErr\(("\\r\\x1b\[K"|`\\r\$\{shownLine\()/,
  "cli/commands/worker/run.ts": /^writeErr\(shownText\(/,
  "cli/supervise.ts": /^writeErr\(shownText\(/,
  // exact: `run` hands on what the job prints
  "cli/running/job_streams.ts": /^write(Out|Err)\(bytes\)/,
};

/** Who may hand bytes to stdout past the door, and why that is safe. */
const EXACT: Readonly<Record<string, string>> = {
  "cli/context.ts": "says what it is",
  "cli/make_context.ts": "makes it",
  "cli/commands/output.ts": "--raw, --stdout, --stderr, and no terminal",
  "cli/commands/logs.ts": "no terminal, or escaped there",
  "cli/commands/worker/redact.ts": "for a worker, through a pipe",
  "cli/commands/enqueue_batch.ts": "ids, checked before they are stored",
  "cli/output/live_screen.ts": "places pictures that went through the door",
};

const sources = await sourcesBelow("");

Deno.test("nobody but streams.ts writes to standard output and standard error", () => {
  const found = [...sources].filter(([path]) => path !== STREAMS).flatMap(([path, source]) =>
    [...source.matchAll(
      /\bconsole\.\w+|\bprocess\.std(out|err)|\bDeno\.std(out|err)\b(?!\.isTerminal\(\))|\/dev\/(tty|std)/g,
    )]
      .map(([call]) => `${path}: ${call}`)
  );

  assertEquals(found, []);
});

Deno.test("whoever calls streams.ts makes the text visible in that very call", () => {
  const found = [...sources].filter(([path]) => path !== STREAMS).flatMap(([path, source]) =>
    calls(source.replace(/^import .*$/gm, ""), /\bwrite(Out|Err)\b.*/g).filter((call) =>
      WRITERS[path]?.test(call) !== true
    )
      .map((call) => `${path}: ${call}`)
  );

  assertEquals(found, []);
  for (const path of Object.keys(WRITERS)) {
    assert(calls(sources.get(path) ?? "", /\bwrite(Out|Err)\(/g).length > 0, `${path} does not write any more`);
  }
});

Deno.test("streams.ts is handed on to nobody who is not known to make text visible", () => {
  const users = [...sources].filter(([, source]) => /from "[./\w]*\/streams\.ts"/.test(source)).map(([path]) => path);
  // It only needs to know a closed pipe.
  const others = ["cli/run.ts"];

  assertEquals(users.filter((path) => !(path in WRITERS) && !others.includes(path)), []);
});

Deno.test("only what is known to be exact or safe goes past the door", () => {
  const users = [...sources].filter(([, source]) => source.includes("writeBytes")).map(([path]) => path);

  assertEquals(users.toSorted(), Object.keys(EXACT).toSorted());
});

Deno.test("JSON is printed by jsonText() or visibleJson() alone", () => {
  const found = [...sources].filter(([path, source]) =>
    path.startsWith("cli/") && path !== "cli/output/json.ts" &&
    /(print|write)\w*\([^\n]*(?<!visibleJson\()JSON\.stringify/.test(source)
  );

  assertEquals(found.map(([path]) => path), []);
});

function calls(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map(([call]) => call);
}

async function sourcesBelow(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(LIB + folder)) {
    const path = folder + name;
    if (isDirectory) { for (const [below, source] of await sourcesBelow(`${path}/`)) found.set(below, source); }
    else if (name.endsWith(".ts")) found.set(path, withoutComments(await Deno.readTextFile(LIB + path)));
  }
  return found;
}

/** Comments may speak of all of this. */
function withoutComments(source: string): string {
  return source.replace(/^\s*\/?\*.*$/gm, "").replace(/(?<![:"'`])\/\/ .*$/gm, "");
}
