/** What lies at the top of the repository: what somebody looks for there, and nothing that was left by accident. */
import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What a user of this project was promised to find. */
const REQUIRED = ["README.md", "completions", "deno.json", "deno.lock", "install.sh", "lib", "main.ts", "tests"];

/** What may be there, too. A new name needs a reason to be at the top. */
const ALLOWED = [
  ".ci",
  ".gitattributes",
  ".gitignore",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "SECURITY.md",
  "THIRD_PARTY_NOTICES",
  "bench",
  "docs",
  "page",
  "tools",
  "vendor",
];

/** The names that are in the repository; in an unpacked archive, all that are not generated. */
async function topLevelNames(): Promise<string[]> {
  const tracked = await trackedFiles();
  if (tracked !== undefined) return [...new Set(tracked.map((path) => path.split("/")[0]!))].toSorted();
  const generated = Deno.readTextFileSync(`${ROOT}.gitignore`).split("\n").map((line) => line.replaceAll("/", ""));
  return [...Deno.readDirSync(ROOT)].map(({ name }) => name).filter((name) => !generated.includes(name)).toSorted();
}

/** undefined where there is no repository. A clone may belong to another user than the one who runs the tests. */
async function trackedFiles(): Promise<string[] | undefined> {
  try {
    Deno.statSync(`${ROOT}.git`);
  } catch {
    return undefined;
  }
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: ["-c", `safe.directory=${ROOT.replace(/\/$/, "")}`, "ls-files", "-z"],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const paths = new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  // A file that is removed and not yet committed is gone.
  return paths.filter((path) => exists(`${ROOT}${path}`));
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("every name at the top level has its place there", async () => {
  const names = await topLevelNames();

  assertEquals(names.filter((name) => !REQUIRED.includes(name) && !ALLOWED.includes(name)), []);
});

Deno.test("nothing that belongs at the top level is missing", async () => {
  const names = await topLevelNames();

  assertEquals(REQUIRED.filter((name) => !names.includes(name)), []);
});
