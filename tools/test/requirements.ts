/**
 * The programs of the system that suites need, and how to get them.
 *
 * A suite that lacks one fails: a skipped test would look like a passed one.
 * Packages are installed only when that was asked for, because a test run must
 * not change somebody's machine unasked.
 * @module
 */
import { delimiter, join } from "node:path";

/** A program, and the Debian package that has it. */
interface Requirement {
  /** Looked for on PATH; of something that is no command, the path of a file. */
  command: string;
  package: string;
}

/** By the path of a suite, or of a stage such as `shellcheck`. */
const REQUIREMENTS: Readonly<Record<string, readonly Requirement[]>> = {
  shellcheck: [{ command: "shellcheck", package: "shellcheck" }],
  "tests/completions": [
    { command: "bash", package: "bash" },
    { command: "zsh", package: "zsh" },
    { command: "fish", package: "fish" },
    { command: "tmux", package: "tmux" },
    { command: "/usr/share/bash-completion/bash_completion", package: "bash-completion" },
  ],
  "tests/shape": [{ command: "git", package: "git" }],
  "tests/e2e/man_test.ts": [
    { command: "man", package: "man-db" },
    { command: "groff", package: "groff-base" },
  ],
  "tests/docs/ci_test.ts": [{ command: "curl", package: "curl" }, { command: "jq", package: "jq" }],
  "tests/docs/docker_test.ts": [{ command: "tini", package: "tini" }],
  "tests/docs/monitoring_test.ts": [{ command: "systemd-analyze", package: "systemd" }, {
    command: "jq",
    package: "jq",
  }],
  "tests/docs/service_test.ts": [
    { command: "systemd-analyze", package: "systemd" },
    { command: "shellcheck", package: "shellcheck" },
  ],
  "tests/e2e/service_test.ts": [{ command: "systemd-analyze", package: "systemd" }],
  "tests/faults": [{ command: "strace", package: "strace" }],
  "tests/faults/mixed_storm_test.ts": [
    { command: "flock", package: "util-linux" },
    { command: "setsid", package: "util-linux" },
    { command: "setpriv", package: "util-linux" },
  ],
  "tests/install": [
    { command: "curl", package: "curl" },
    { command: "wget", package: "wget" },
    { command: "zstd", package: "zstd" },
    { command: "busybox", package: "busybox" },
    { command: "dash", package: "dash" },
    { command: "zsh", package: "zsh" },
    { command: "fish", package: "fish" },
    { command: "setpriv", package: "util-linux" },
  ],
  "tests/install/contents_test.ts": [{ command: "strace", package: "strace" }, { command: "bash", package: "bash" }],
  "tests/install/aarch64_test.ts": [
    { command: "qemu-aarch64-static", package: "qemu-user-static" },
    { command: "/usr/aarch64-linux-gnu/lib/libc.so.6", package: "libc6-arm64-cross" },
    { command: "/usr/aarch64-linux-gnu/lib/libgcc_s.so.1", package: "libgcc-s1-arm64-cross" },
  ],
};

/** Another process may hold the package manager's lock, e.g. a system upgrade. */
const LOCK_TIMEOUT_S = 300;

/** Installs what the things at `paths` need and lack. A failure shows later, in {@linkcode lackOf}. */
export async function installRequirements(paths: readonly string[]): Promise<void> {
  const lacking = paths.flatMap(requirementsOf).filter(({ command }) => !isOnPath(command));
  const packages = [...new Set(lacking.map((requirement) => requirement.package))];
  if (packages.length === 0 || !isOnPath("apt-get")) return;

  console.log(`installing ${packages.join(", ")}`);
  if (await aptGet(["install", ...packages])) return;
  // A machine made from an image often has no package lists yet.
  await aptGet(["update"]);
  if (await aptGet(["install", ...packages])) return;
  console.log(`could not install ${packages.join(", ")}`);
}

/** Why the suite or stage at `path` cannot run, and what helps; undefined when it has all that it needs. */
export function lackOf(path: string): string | undefined {
  const lacking = requirementsOf(path).filter(({ command }) => !isOnPath(command));
  if (lacking.length === 0) return undefined;
  const commands = lacking.map(({ command }) => command).join(", ");
  const packages = [...new Set(lacking.map((requirement) => requirement.package))].join(" ");
  return `cannot run without ${commands}: install the Debian packages (${packages}), or let --install do so`;
}

function requirementsOf(path: string): Requirement[] {
  return Object.entries(REQUIREMENTS)
    .filter(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
    .flatMap(([, requirements]) => requirements);
}

async function aptGet(args: string[]): Promise<boolean> {
  const command = ["apt-get", "-y", "-q", "-o", `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`, ...args];
  // `-n`: a question for a password would wait for ever where nobody looks.
  const [program, ...rest] = Deno.uid() === 0 ? command : ["sudo", "-n", ...command];
  try {
    const { success } = await new Deno.Command(program!, {
      args: rest,
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false; // no sudo
    throw error;
  }
}

function isOnPath(command: string): boolean {
  if (command.startsWith("/")) return isReadable(command);
  return (Deno.env.get("PATH") ?? "").split(delimiter).some((directory) => isExecutable(join(directory, command)));
}

function isReadable(path: string): boolean {
  try {
    Deno.openSync(path).close();
    return true;
  } catch {
    return false; // missing, or not for us
  }
}

function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch {
    return false; // missing, or in a directory we may not read: not usable either way
  }
}
