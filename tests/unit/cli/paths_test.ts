import { assertEquals, assertThrows } from "@std/assert";
import { databasePath, type DatabasePlace } from "../../../lib/config/paths.ts";
import { UsageError } from "../../../lib/core/errors.ts";

const PASSWD = "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000:Ann,,,:/home/ann:/bin/sh\nbot:x:998:998::/:/bin/false\n";

function pathOf(place: Partial<DatabasePlace> & { variables?: Record<string, string> }): string {
  const { variables = {}, ...rest } = place;
  return databasePath({
    env: (name) => variables[name],
    uid: 1000,
    readPasswd: () => PASSWD,
    cwd: () => "/place",
    ...rest,
  });
}

Deno.test("--db comes before QUEUECTL_DB, which comes before the usual place", () => {
  const variables = { QUEUECTL_DB: "/from/environment.db" };

  assertEquals(pathOf({ flag: "/from/flag.db", variables }), "/from/flag.db");
  assertEquals(pathOf({ variables }), "/from/environment.db");
  assertEquals(pathOf({ variables: { QUEUECTL_DB: "" } }), "/home/ann/.local/share/queuectl/queue.db");
});

Deno.test("a path becomes absolute, a URL stays as it is", () => {
  assertEquals(pathOf({ flag: "queue.db" }), "/place/queue.db");
  assertEquals(pathOf({ flag: "./a/queue.db" }), "/place/a/queue.db");
  assertEquals(pathOf({ flag: "../queue.db" }), "/place/../queue.db");
  assertEquals(pathOf({ flag: "queue.db", cwd: () => "/" }), "/queue.db");
  assertEquals(pathOf({ flag: "postgres://ann@host/jobs" }), "postgres://ann@host/jobs");
});

Deno.test("a link to a database is that database, also before it is made", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/real`);
    await Deno.symlink("real/queue.db", `${folder}/first.db`);
    await Deno.symlink(`${folder}/first.db`, `${folder}/second.db`);
    await Deno.symlink("round.db", `${folder}/round.db`);

    assertEquals(pathOf({ flag: "second.db", cwd: () => folder }), `${folder}/real/queue.db`);
    assertEquals(pathOf({ variables: { QUEUECTL_DB: `${folder}/first.db` } }), `${folder}/real/queue.db`);
    assertEquals(pathOf({ flag: `${folder}/round.db` }), `${folder}/round.db`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("root's database is in /var/lib, whatever the environment says of homes", () => {
  assertEquals(
    pathOf({ uid: 0, variables: { HOME: "/home/ann", XDG_DATA_HOME: "/data" } }),
    "/var/lib/queuectl/queue.db",
  );
});

Deno.test("a user's database is in XDG_DATA_HOME, if that is absolute", () => {
  assertEquals(pathOf({ variables: { XDG_DATA_HOME: "/data/" } }), "/data/queuectl/queue.db");
  assertEquals(pathOf({ variables: { XDG_DATA_HOME: "data" } }), "/home/ann/.local/share/queuectl/queue.db");
});

Deno.test("cron, env -i and a login shell find the same home", () => {
  assertEquals(pathOf({ variables: {} }), "/home/ann/.local/share/queuectl/queue.db");
  assertEquals(pathOf({ variables: { HOME: "/elsewhere" } }), "/home/ann/.local/share/queuectl/queue.db");
});

Deno.test("a user who is not in the user database has the home that HOME says", () => {
  assertEquals(pathOf({ uid: 4711, variables: { HOME: "/tmp/home" } }), "/tmp/home/.local/share/queuectl/queue.db");
});

Deno.test("without any home, and for an empty --db, the user is asked to say where", () => {
  assertThrows(() => pathOf({ uid: 4711 }), UsageError, "Cannot tell where the database is");
  assertThrows(() => pathOf({ flag: "" }), UsageError, 'Invalid --db ""');
});
