/**
 * Users of this machine: as /etc/passwd has them, and where it does not (LDAP,
 * sssd), as the system's own `getent` tells.
 * @module
 */

export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly home: string;
}

export function userNamed(name: string): OsUser | undefined {
  return findUser((user) => user.name === name, name);
}

export function ownUser(): OsUser | undefined {
  const uid = Deno.uid();
  return findUser((user) => user.uid === uid, String(uid));
}

function findUser(isMeant: (user: OsUser) => boolean, key: string): OsUser | undefined {
  return parsePasswd(readPasswd()).find(isMeant) ?? parsePasswd(getent(key)).find(isMeant);
}

/** Lines of `name:x:uid:gid:comment:home:shell`. */
export function parsePasswd(text: string): OsUser[] {
  return text.split("\n").map((line) => line.split(":")).filter((fields) => fields.length >= 6 && fields[0] !== "")
    .map(([name = "", , uid, , , home = ""]) => ({ name, uid: Number(uid), home }));
}

function readPasswd(): string {
  try {
    return Deno.readTextFileSync("/etc/passwd");
  } catch {
    // Some containers have none.
    return "";
  }
}

function getent(key: string): string {
  try {
    const { stdout } = new Deno.Command("getent", { args: ["passwd", "--", key], stderr: "null" }).outputSync();
    return new TextDecoder().decode(stdout);
  } catch {
    // Not every system has it.
    return "";
  }
}
