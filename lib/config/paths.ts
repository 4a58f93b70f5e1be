/**
 * Where the database is when nobody says so.
 *
 * The answer must be the same for a login shell, cron and `env -i`, or a job
 * enqueued in one would not be seen in the other. So the home comes from the
 * user database; `HOME` counts only for users who are not in /etc/passwd.
 *
 * A link is followed: locks, logs and the wake file lie beside the file itself,
 * or two names of one database would have two supervisors for one pool.
 * @module
 */
import { currentDirectory } from "../host/current_directory.ts";
import { quotedPath, StoreUnavailableError, UsageError } from "../core/errors.ts";
import { mayFollow } from "../host/ownership.ts";

export interface DatabasePlace {
  /** What `--db` said. */
  readonly flag?: string | undefined;
  readonly env: (name: string) => string | undefined;
  /** Default: of this process. */
  readonly uid?: number | null;
  /** The user database as text. Default: reads /etc/passwd. */
  readonly readPasswd?: () => string;
  /** Default: of this process. */
  readonly cwd?: () => string;
}

/**
 * The database that the user means: `--db`, else `QUEUECTL_DB`, else the usual
 * place. URLs stay as they are, paths become absolute and lead to no link.
 * @throws {UsageError} for an empty `--db`, or when there is no home to put it in.
 * @throws {StoreUnavailableError} for a link that the kernel would not follow either.
 */
export function databasePath(place: DatabasePlace): string {
  const said = saidPath(place);
  return isUrl(said) ? said : behindLinks(said);
}

/** The same as the user named it: the file itself, or a link to it. */
export function saidPath(place: DatabasePlace): string {
  if (place.flag === "") {
    throw new UsageError(`Invalid --db "": expected a path or a URL`, { hint: "--db ./queue.db" });
  }
  const said = place.flag ?? (place.env("QUEUECTL_DB") || undefined);
  if (said !== undefined && isUrl(said)) return said;
  return said === undefined ? usualPath(place) : absolute(said, place.cwd ?? currentDirectory);
}

function isUrl(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(location);
}

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/** The file that a link stands for, whether it is there or not. Links among the folders above it do no harm. */
function behindLinks(path: string): string {
  let found = path;
  for (let i = 0; i < MAX_LINKS; i++) {
    let target: string;
    try {
      target = Deno.readLinkSync(found);
    } catch {
      // It is no link, or out of reach: whoever opens it tells.
      return found;
    }
    if (!mayFollow(found)) {
      throw new StoreUnavailableError(
        `Cannot use database ${quotedPath(found)}: it is another user's link, in a folder that everybody may write`,
        { hint: "give the path of the file that you mean with --db" },
      );
    }
    found = target.startsWith("/") ? target : `${found.slice(0, found.lastIndexOf("/"))}/${target}`;
  }
  return path;
}

function absolute(location: string, cwd: () => string): string {
  if (location.startsWith("/")) return location;
  const below = location.replace(/^(\.\/+)+/, "");
  const directory = cwd();
  return directory.endsWith("/") ? directory + below : `${directory}/${below}`;
}

function usualPath(place: DatabasePlace): string {
  const uid = place.uid === undefined ? Deno.uid() : place.uid;
  if (uid === 0) return "/var/lib/queuectl/queue.db";
  const dataHome = place.env("XDG_DATA_HOME");
  // The XDG specification asks to ignore relative paths.
  if (dataHome?.startsWith("/")) return `${dataHome.replace(/\/+$/, "")}/queuectl/queue.db`;
  const home = passwdHome(uid, place.readPasswd ?? readPasswd) ?? place.env("HOME");
  if (home?.startsWith("/")) return `${home.replace(/\/+$/, "")}/.local/share/queuectl/queue.db`;
  throw new UsageError("Cannot tell where the database is: this user has no home directory", {
    hint: "queuectl --db PATH, or set QUEUECTL_DB",
  });
}

/** The sixth field of the user's line: `name:x:uid:gid:comment:home:shell`. */
function passwdHome(uid: number | null, read: () => string): string | undefined {
  if (uid === null) return undefined;
  for (const line of read().split("\n")) {
    const fields = line.split(":");
    if (fields[2] === String(uid)) return fields[5] || undefined;
  }
  return undefined;
}

function readPasswd(): string {
  try {
    return Deno.readTextFileSync("/etc/passwd");
  } catch {
    // No such file (some containers): HOME is asked next.
    return "";
  }
}
