/**
 * Who holds the write lock of a SQLite file, as far as the system tells.
 *
 * In WAL mode it is a lock on one byte of the `-shm` file; Linux lists such locks
 * with the process that holds them, in lines such as
 * `7: POSIX  ADVISORY  WRITE 1234 08:01:131073 120 120`.
 * @module
 */

/** WAL_WRITE_LOCK: the first of the lock bytes, which come behind 120 bytes of header. */
const WRITE_LOCK_BYTE = 120;

/** Process number as this pid namespace sees it; undefined when nobody holds it, or nobody can tell. */
export function writeLockHolder(path: string): number | undefined {
  try {
    const { ino } = Deno.statSync(`${path}-shm`);
    return ino === null ? undefined : holderIn(Deno.readTextFileSync("/proc/locks"), ino);
  } catch {
    return undefined; // not Linux, or no such file
  }
}

export function holderIn(locks: string, inode: number): number | undefined {
  for (const line of locks.split("\n")) {
    const [, , , kind, pid, place, start, end] = line.trim().split(/\s+/);
    if (kind !== "WRITE" || place?.split(":")[2] !== String(inode)) continue;
    const isThere = Number(start) <= WRITE_LOCK_BYTE && (end === "EOF" || Number(end) >= WRITE_LOCK_BYTE);
    if (isThere && Number(pid) > 0) return Number(pid);
  }
  return undefined;
}
