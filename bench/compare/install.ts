/**
 * Gets the tools that are compared: Debian packages, and npm packages into a
 * folder outside the project, because `deno compile` would embed them there.
 * @module
 */
import { isAbsolute } from "node:path";
import { NODE_PACKAGE } from "./libraries.ts";
import type { Peer } from "./peer.ts";

/** Another process may hold the package manager's lock, e.g. a system upgrade. */
const LOCK_TIMEOUT_S = 300;

/** Says what it does. A package that cannot be had leads to a tool that is not measured, not to a failure. */
export async function install(
  peers: readonly Peer[],
  { packages, say }: { packages: string; say: (text: string) => void },
): Promise<void> {
  const debian = [...new Set(peers.flatMap((peer) => peer.debian))];
  if (debian.length > 0) await installDebian(debian, say);
  // One after the other: a package that the registry lacks must not keep the others away.
  const npm = new Set(peers.filter((peer) => peer.npm.length > 0).map((peer) => [...peer.npm, NODE_PACKAGE].join(" ")));
  for (const names of npm) await installNpm(names.split(" "), packages, say);
}

async function installDebian(names: readonly string[], say: (text: string) => void): Promise<void> {
  say(`installing Debian packages: ${names.join(", ")}`);
  if (await aptGet(["install", "--no-install-recommends", ...names])) return;
  // A machine made from an image often has no package lists yet.
  await aptGet(["update"]);
  if (await aptGet(["install", "--no-install-recommends", ...names])) return;
  say("cannot install the Debian packages; what is missing is not measured");
}

async function installNpm(names: readonly string[], folder: string, say: (text: string) => void): Promise<void> {
  if (!isAbsolute(folder)) throw new Error(`The folder of the npm packages must be absolute: ${folder}`);
  say(`installing npm packages into ${folder}: ${names.join(", ")}`);
  await Deno.mkdir(folder, { recursive: true });
  const succeeded = await run(
    ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", ...names],
    {},
    folder,
  );
  if (!succeeded) say(`cannot install ${names[0]}; it is not measured`);
}

async function aptGet(args: readonly string[]): Promise<boolean> {
  const command = ["apt-get", "-y", "-q", "-o", `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`, ...args];
  // `-n`: a question for a password would wait for ever where nobody looks.
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  return await run(Deno.uid() === 0 ? command : ["sudo", "-n", ...command], env);
}

async function run(argv: readonly string[], env: Record<string, string>, cwd?: string): Promise<boolean> {
  const [program, ...args] = argv;
  try {
    const { success } = await new Deno.Command(program!, {
      args,
      env,
      ...cwd === undefined ? {} : { cwd },
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
