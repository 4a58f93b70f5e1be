import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../../lib/core/errors.ts";
import { manFolder } from "../../../../lib/cli/manual/folder.ts";

const ENV: Readonly<Record<string, string>> = { HOME: "/home/u", XDG_DATA_HOME: "/data/u/" };
const env = (name: string) => ENV[name];
const NOTHING = { dir: undefined, user: false, system: false };

for (
  const { dir, root } of [
    { dir: "/opt/share/man", root: "/opt/share/man" },
    { dir: "/opt/share/man/", root: "/opt/share/man" },
    { dir: "/opt/share/man/man1", root: "/opt/share/man" },
    { dir: "pages", root: `${Deno.cwd()}/pages` },
  ]
) {
  Deno.test(`man install --dir ${dir} writes below ${root}`, () => {
    assertEquals(manFolder({ env }, { ...NOTHING, dir }), { root, pages: `${root}/man1`, isShared: false });
  });
}

Deno.test("root and --system have the folder of all users, which stays when it is empty", () => {
  const shared = { root: "/usr/local/share/man", pages: "/usr/local/share/man/man1", isShared: true };

  assertEquals(manFolder({ env, uid: 0 }, NOTHING), shared);
  assertEquals(manFolder({ env, uid: 1000 }, { ...NOTHING, system: true }), shared);
});

Deno.test("a user has XDG_DATA_HOME, else .local/share; a relative one does not count", () => {
  const rootWith = (values: Readonly<Record<string, string>>) =>
    manFolder({ env: (name) => values[name], uid: 1000 }, NOTHING).root;

  assertEquals(rootWith(ENV), "/data/u/man");
  assertEquals(manFolder({ env, uid: 0 }, { ...NOTHING, user: true }).root, "/data/u/man");
  assertEquals(rootWith({ HOME: "/home/u" }), "/home/u/.local/share/man");
  assertEquals(rootWith({ HOME: "/home/u", XDG_DATA_HOME: "data" }), "/home/u/.local/share/man");
});

Deno.test("without a home, and with two folders at once, it asks for one", () => {
  assertThrows(() => manFolder({ env: () => undefined, uid: 1000 }, NOTHING), UsageError, "HOME is not set");
  assertThrows(() => manFolder({ env }, { dir: "/x", user: false, system: true }), UsageError, "give one of");
  assertThrows(() => manFolder({ env }, { dir: undefined, user: true, system: true }), UsageError, "give one of");
  assertThrows(() => manFolder({ env }, { ...NOTHING, dir: "" }), UsageError, "expected a folder");
});
