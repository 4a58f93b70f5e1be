/**
 * What processes cost, from /proc.
 * @module
 */

/** Processes that descend from these, themselves included. */
export function familyOf(...roots: readonly number[]): number[] {
  const children = new Map<number, number[]>();
  for (const pid of allProcesses()) {
    const parent = parentOf(pid);
    if (parent !== null) children.set(parent, [...children.get(parent) ?? [], pid]);
  }
  const family: number[] = [];
  const rest = [...roots];
  for (let pid = rest.pop(); pid !== undefined; pid = rest.pop()) {
    family.push(pid);
    rest.push(...children.get(pid) ?? []);
  }
  return family;
}

/** Processes with this variable in their environment. */
export function processesWith(name: string, value: string): number[] {
  return allProcesses().filter((pid) => read(pid, "environ")?.split("\0").includes(`${name}=${value}`));
}

/** CPU seconds of each thread since its start. The ticks in /proc/PID/stat would be as long as an idle worker's work. */
export function cpuSeconds(pids: readonly number[]): Map<string, number> {
  const threads = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of entries(`/proc/${pid}/task`)) {
      const text = read(pid, `task/${thread}/schedstat`);
      if (text !== null) threads.set(`${pid}/${thread}`, Number(text.split(" ")[0]) / 1e9);
    }
  }
  return threads;
}

/** CPU seconds between two looks. A thread that ended in between is left out. */
export function cpuBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return [...after].reduce((sum, [thread, seconds]) => sum + seconds - (before.get(thread) ?? 0), 0);
}

export interface Memory {
  readonly rss: number;
  /** RSS with each shared page divided among those that share it. */
  readonly pss: number;
}

/** In MB of a million bytes, of all processes together. */
export function memoryOf(pids: readonly number[]): Memory {
  const sum = { rss: 0, pss: 0 };
  for (const pid of pids) {
    const text = read(pid, "smaps_rollup") ?? "";
    const megabytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) * 1_024 / 1e6;
    sum.rss += megabytes("Rss");
    sum.pss += megabytes("Pss");
  }
  return sum;
}

function allProcesses(): number[] {
  return entries("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
}

function parentOf(pid: number): number | null {
  const text = read(pid, "stat");
  // The name in parentheses may have spaces and parentheses of its own.
  return text === null ? null : Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
}

/** null: the process has ended, or belongs to somebody else. */
function read(pid: number, file: string): string | null {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${file}`);
  } catch {
    return null;
  }
}

function entries(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name);
  } catch {
    return [];
  }
}
