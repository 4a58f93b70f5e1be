/**
 * Options of `service ...` -> what the unit is to say: for whom, which
 * database, which pool, and under which name.
 * @module
 */
import { databasePath } from "../../config/paths.ts";
import { loadSettings } from "../../config/load_settings.ts";
import { ConflictError, InvalidValueError, NotFoundError, quoted, UsageError } from "../../core/errors.ts";
import { UNSUPERVISED_POOLS, USUAL_POOL } from "../../core/pool.ts";
import { isTrusted } from "../../host/trust.ts";
import { openStore } from "../../store/mod.ts";
import { isSupervised } from "../../worker/pool_files.ts";
import { poolKey } from "../../worker/pool_host.ts";
import { VERSION } from "../../version.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn, text } from "../input.ts";
import { askedOptions, poolName } from "../pool_options.ts";
import { type OsUser, ownUser, userNamed } from "./os_user.ts";
import type { Scope, UnitOptions } from "./unit_text.ts";

/** `--user` or `--system`; without either, root means the system, and others mean themselves. */
export function scopeOf(input: Input): Scope {
  const [user, system] = [isOn(input, "user"), isOn(input, "system")];
  if (user && system) throw new UsageError("Cannot use both --user and --system: give one");
  if (user || system) return user ? "user" : "system";
  return Deno.uid() === 0 ? "system" : "user";
}

/** File name of the unit: `queuectl.service`, `queuectl-mail.service` for pool mail, or what --name says. */
export function unitName(input: Input): string {
  const said = text(input, "name")?.replace(/\.service$/, "");
  if (said !== undefined && !/^[A-Za-z0-9][A-Za-z0-9:_.-]{0,127}$/.test(said)) {
    throw new InvalidValueError("--name", said, "expected letters, digits or : _ . - beginning with a letter or digit");
  }
  const pool = poolName(input);
  return `${said ?? (pool === USUAL_POOL ? "queuectl" : `queuectl-${pool}`)}.service`;
}

export async function unitOptions(context: Context, input: Input): Promise<UnitOptions> {
  const scope = scopeOf(input);
  const pool = poolName(input);
  if (UNSUPERVISED_POOLS.includes(pool)) {
    throw new ConflictError(
      `Cannot make a service of pool ${quoted(pool)}: it stands for workers without a supervisor`,
    );
  }
  const asked = askedOptions(input);
  const user = whoRunsJobs(input, scope);
  const db = databaseOf(context, user);
  const { shutdown_timeout, kill_grace } = await settingsOf(context, db);
  return {
    ...{ scope, pool, asked, db },
    isTrusted: isTrusted(db),
    user: user.name,
    shutdownTimeoutMs: shutdown_timeout,
    killGraceMs: kill_grace,
    version: VERSION,
  };
}

function whoRunsJobs(input: Input, scope: Scope): OsUser {
  const said = text(input, "run-as");
  if (said === undefined) {
    return scope === "system" ? ROOT : ownUser() ?? { name: String(Deno.uid()), uid: Deno.uid() ?? -1, home: "" };
  }
  if (scope === "user") {
    throw new UsageError("Cannot use --run-as with --user: a user's own service runs as that user", {
      hint: `queuectl service ${input.spec.name.split(" ")[1]} --system --run-as ${said}`,
    });
  }
  const user = userNamed(said);
  if (user === undefined) throw new NotFoundError(`No user ${quoted(said)}`, { hint: "getent passwd" });
  return user;
}

const ROOT: OsUser = { name: "root", uid: 0, home: "/root" };

/** The database that commands of this user find by themselves, unless the command line or the environment names one. */
function databaseOf(context: Context, user: OsUser): string {
  const isOwn = user.uid === Deno.uid();
  const isNamed = context.dbFlag !== undefined || Boolean(context.env("QUEUECTL_DB"));
  if (!isOwn && !isNamed && user.uid !== 0 && !hasHome(user)) {
    const name = quoted(user.name);
    throw new UsageError(`Cannot tell where the database is: user ${name} has no home directory of its own`, {
      hint: "--db PATH",
    });
  }
  const db = isOwn || isNamed ? context.dbPath : databasePath({
    // XDG_DATA_HOME is that of the caller.
    env: () => undefined,
    uid: user.uid,
    readPasswd: () => `${user.name}:x:${user.uid}::x:${user.home}:`,
  });
  if (/^[a-z][a-z0-9+.-]*:/i.test(db)) {
    throw new UsageError("Cannot make a service of a database that is a URL: expected the path of a SQLite file");
  }
  return db;
}

/** Users of the system, such as daemon, have the home of somebody else. */
function hasHome({ home, uid }: OsUser): boolean {
  try {
    const found = Deno.statSync(home);
    return found.isDirectory && found.uid === uid;
  } catch {
    return false;
  }
}

/** Whether workers that `worker start` put into the background keep the service from starting. */
export async function isPoolInBackground(context: Context, { db, pool }: UnitOptions): Promise<boolean> {
  try {
    const store = await openStore(db, { mode: "read", clock: context.clock });
    try {
      const key = await poolKey(store, pool);
      const supervisor = (await store.pools.find(key))?.supervisor;
      return supervisor?.is_foreground === false && isSupervised(store.folder, key);
    } finally {
      await store.close();
    }
  } catch {
    // Of a database that cannot be read the options have warned.
    return false;
  }
}

/** As workers of the unit will see them: without the environment of the caller. */
async function settingsOf(context: Context, db: string) {
  try {
    const store = await openStore(db, { mode: "read", clock: context.clock });
    try {
      return loadSettings({ env: () => undefined, stored: await store.settings.all() }).values;
    } finally {
      await store.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.warn(`the stop limit is the usual one, because the settings cannot be read: ${reason}`);
    return loadSettings({ env: () => undefined, stored: new Map() }).values;
  }
}
