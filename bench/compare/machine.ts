/**
 * What the figures were measured on. No name of the host: it is nobody's business.
 * @module
 */

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryMb: number;
  readonly system: string;
  readonly kernel: string;
  /** Of the folder that everything was written to. */
  readonly fileSystem: string;
  /** Average number of running processes in the minute before. */
  readonly load: number;
}

export function machine(folder: string): Machine {
  return {
    cores: navigator.hardwareConcurrency,
    processor: /^model name\s*:\s*(.+)$/m.exec(text("/proc/cpuinfo"))?.[1] ?? Deno.build.arch,
    memoryMb: Math.round(Deno.systemMemoryInfo().total / 1e6),
    system: /^PRETTY_NAME="?(.+?)"?$/m.exec(text("/etc/os-release"))?.[1] ?? Deno.build.os,
    kernel: Deno.osRelease(),
    fileSystem: fileSystemOf(folder, text("/proc/self/mountinfo")),
    load: Deno.loadavg()[0]!,
  };
}

/** The type of the file system that is mounted nearest above the folder. */
export function fileSystemOf(folder: string, mountinfo: string): string {
  const mounts = mountinfo.split("\n").map((line) => {
    const [before = "", after = ""] = line.split(" - ");
    // A space in a path is written as \040.
    const path = (before.split(" ")[4] ?? "").replaceAll("\\040", " ");
    return { path, type: after.split(" ")[0]! };
  });
  const above = mounts.filter(({ path }) =>
    path === "/" || path === folder || (path !== "" && folder.startsWith(`${path}/`))
  );
  // Of two mounts on one path the later one hides the earlier.
  return above.reduce((best, each) => each.path.length >= best.path.length ? each : best, { path: "", type: "unknown" })
    .type;
}

function text(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
