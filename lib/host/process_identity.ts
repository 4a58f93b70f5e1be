/**
 * Who a process is, beyond its number: numbers are reused, a number with its
 * start time and the boot id is not.
 * @module
 */
export interface HostIdentity {
  readonly host: string;
  readonly boot_id: string;
  readonly pid_namespace: string;
}

/** A process anywhere: number and start time mean something on its host only. */
export interface ProcessIdentity extends HostIdentity {
  readonly pid: number;
  readonly process_start: string;
}

export function hostIdentity(): HostIdentity {
  return {
    host: Deno.hostname(),
    boot_id: readFirst("/proc/sys/kernel/random/boot_id"),
    pid_namespace: namespaceOf("/proc/self/ns/pid"),
  };
}

export function ownIdentity(): ProcessIdentity {
  return { ...hostIdentity(), pid: Deno.pid, process_start: processStart(Deno.pid) };
}

/** Stands for the boot of a process that was noted in another database, of which this one is a copy. */
export const COPIED = "copied";

/** Whether process numbers of the one mean the same to the other. What is unknown is never the same. */
export function isSameHost(a: HostIdentity, b: HostIdentity): boolean {
  return a.boot_id !== "" && a.boot_id === b.boot_id && a.pid_namespace !== "" && a.pid_namespace === b.pid_namespace;
}

/** Start time of a process as the kernel counts it; empty when it is gone or the system does not tell. */
export function processStart(pid: number): string {
  return processStatus(pid).start;
}

/** Whether this very process runs. One that ended and was not reaped yet does not. */
export function isRunning(pid: number, start: string): boolean {
  const status = processStatus(pid);
  return start !== "" && status.start === start && !status.isDead;
}

/** Whether a process goes by the present name of our host. False also when we may not know. */
export function hasOurHostName(pid: number): boolean {
  const own = namespaceOf("/proc/self/ns/uts");
  return own !== "" && namespaceOf(`/proc/${pid}/ns/uts`) === own;
}

export interface ProcessStatus {
  /** Empty when there is no such process. */
  readonly start: string;
  /** 0 when there is no such process. */
  readonly group: number;
  readonly session: number;
  /** It ended, and was not reaped yet. */
  readonly isDead: boolean;
}

export function processStatus(pid: number): ProcessStatus {
  try {
    // The first thread has the same fields. Emulators of other processors (qemu-user, as in containers
    // of another architecture) show a process a made-up /proc/PID/stat of itself, with another start time.
    const stat = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/stat`);
    // The name, in parentheses, may hold anything: count from behind it. Fields 3, 5, 6 and 22 of proc(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      start: fields[19] ?? "",
      group: Number(fields[2]),
      session: Number(fields[3]),
      isDead: "ZXx".includes(fields[0] ?? ""),
    };
  } catch {
    return { start: "", group: 0, session: 0, isDead: false };
  }
}

/** The processes of this pid namespace; none where there is no /proc. */
export function processes(): number[] {
  try {
    return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

function readFirst(path: string): string {
  try {
    return Deno.readTextFileSync(path).trim();
  } catch {
    // Not Linux. Empty never counts as the same boot.
    return "";
  }
}

function namespaceOf(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return "";
  }
}
