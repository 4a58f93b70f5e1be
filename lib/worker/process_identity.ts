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

export function hostIdentity(): HostIdentity {
  return {
    host: Deno.hostname(),
    boot_id: readFirst("/proc/sys/kernel/random/boot_id"),
    pid_namespace: namespaceOf("/proc/self/ns/pid"),
  };
}

/** Start time of a process as the kernel counts it; empty when it is gone or the system does not tell. */
export function processStart(pid: number): string {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // The name, in parentheses, may hold anything: count from behind it. Start time is field 22.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
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
