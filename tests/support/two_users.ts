/**
 * A sandbox in which queuectl runs as `nobody`, and its jobs can start processes
 * of root, as `sudo` does: processes that nobody may signal, and whose
 * environment nobody may read.
 *
 * Needs root, which tests of CI have. As another user they fail and say so.
 * @module
 */
import { type Ended, type RunOptions, type Sandbox, sandbox, type Started } from "./binary.ts";

const NOBODY = 65534;
const SETPRIV = "/usr/bin/setpriv";

export interface TwoUsers extends AsyncDisposable {
  readonly box: Sandbox;
  /** What a job puts before a command that is to run as root. */
  readonly asRoot: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  ok(args: readonly string[]): Promise<string>;
  // deno-lint-ignore no-explicit-any -- as of Sandbox.json
  json<T = any>(args: readonly string[]): Promise<T>;
  start(args: readonly string[], options?: RunOptions): Promise<Started>;
}

export interface TwoUsersOptions {
  /** Default: that of `nobody`. */
  readonly uid?: number;
  /** `--nproc=40`, say, as prlimit(1) takes it. */
  readonly limit?: string;
}

export async function twoUsers({ uid = NOBODY, limit }: TwoUsersOptions = {}): Promise<TwoUsers> {
  if (Deno.uid() !== 0) throw new Error("this test needs root, to run jobs of two users");
  const box = await sandbox();
  const root = `${box.directory}/..`;
  // The binary may be where only root can read it.
  const [binary, setuid] = [`${root}/queuectl`, `${root}/as-root`];
  await Deno.copyFile(box.binary, binary);
  await Deno.copyFile(SETPRIV, setuid);
  await Deno.chmod(binary, 0o755);
  await Deno.chmod(setuid, 0o4755);
  await Deno.chmod(root, 0o755);
  for (const folder of [box.directory, box.home]) await Deno.chown(folder, uid, uid);
  const limited = limit === undefined ? [] : ["/usr/bin/prlimit", limit];
  const user = ["--reuid", String(uid), "--regid", String(uid), "--clear-groups", ...limited, binary];
  const asNobody = (args: readonly string[]) => [...user, ...args];
  const run = (args: readonly string[], options?: RunOptions) =>
    box.run(asNobody(args), { ...options, program: SETPRIV });
  const ok = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await run(args);
    if (code !== 0) throw new Error(`queuectl ${args.join(" ")} ended with ${code}:\n${stderr}${stdout}`);
    return stdout.trimEnd();
  };
  return {
    box,
    asRoot: `'${setuid}' --reuid 0 --regid 0 --clear-groups`,
    run,
    ok,
    json: async (args) => JSON.parse(await ok(["--json", ...args])),
    start: (args, options) => box.start(asNobody(args), { ...options, program: SETPRIV }),
    async [Symbol.asyncDispose]() {
      await box.killAll();
      await box[Symbol.asyncDispose]();
    },
  };
}
