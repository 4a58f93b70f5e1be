/**
 * Runs programs for aarch64 on another machine, by qemu-user.
 *
 * A program that starts itself again needs more: the kernel has to hand such
 * programs to qemu. Where it does not yet, this asks it to, if we may.
 * @module
 */
const QEMU = "/usr/bin/qemu-aarch64-static";
const BINFMT = "/proc/sys/fs/binfmt_misc";
const ENTRY = "queuectl-test-aarch64";

/** The first bytes of such programs, and which bits of them count. F: qemu is found in other roots, too. */
const MAGIC = "\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00";
const MASK = "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff";

/** What goes before a command line; nothing on a machine of that kind. */
export const EMULATOR: readonly string[] = Deno.build.arch === "aarch64" ? [] : [QEMU];

/** Where qemu finds the libraries of Debian's packages for aarch64. */
export const EMULATION_ENV: Readonly<Record<string, string>> = { QEMU_LD_PREFIX: "/usr/aarch64-linux-gnu" };

/** Whether the kernel starts such programs by itself. */
export async function startsByItself(): Promise<boolean> {
  if (EMULATOR.length === 0) return true;
  try {
    for await (const { name } of Deno.readDir(BINFMT)) {
      const entry = name === "register" ? "" : await Deno.readTextFile(`${BINFMT}/${name}`);
      if (entry.startsWith("enabled\n") && /^magic 7f454c46.*b7(?:00)?$/m.test(entry)) return true;
    }
  } catch {
    // not mounted
  }
  return false;
}

/** Undoes what {@linkcode handToQemu} did. */
export type Undo = () => Promise<void>;

/** Makes the kernel start such programs; undefined where we may not. */
export async function handToQemu(): Promise<Undo | undefined> {
  const isMounted = await exists(`${BINFMT}/register`);
  if (!isMounted && !await succeeds("mount", "-t", "binfmt_misc", "none", BINFMT)) return undefined;
  const unmount = async () => void (isMounted || await succeeds("umount", BINFMT));
  try {
    await Deno.writeTextFile(`${BINFMT}/register`, `:${ENTRY}:M::${MAGIC}:${MASK}:${QEMU}:F`);
  } catch {
    await unmount();
    return undefined;
  }
  return async () => {
    await Deno.writeTextFile(`${BINFMT}/${ENTRY}`, "-1");
    await unmount();
  };
}

async function succeeds(command: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args, stdin: "null", stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false; // not here
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
