/** Gets files out of npm packages, by npm itself, which knows the registry and the proxy of this machine. @module */
import { join } from "node:path";

/** Unpacks `file` of the package `name@version` below `work`; gives its path. Runs no script of the package. */
export async function fetchFromNpm(name: string, file: string, work: string): Promise<string> {
  const archive = (await run("npm", ["pack", "--silent", "--ignore-scripts", name], work)).trim();
  await run("tar", ["-xzf", archive, file], work);
  return join(work, file);
}

async function run(command: string, args: string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    // Without a home npm would keep its own cache in the root directory.
    env: Deno.env.get("HOME") ? {} : { npm_config_cache: join(cwd, ".npm") },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`\`${command} ${args.join(" ")}\` failed: ${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}
