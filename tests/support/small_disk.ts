/**
 * A file system that is soon full: `await using disk = await smallDisk("1m")`.
 * In memory, gone at the end. Needs root, like the tests of it do.
 * @module
 */
import { tempDirectory } from "./temp_store.ts";

export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Takes all the room that is left, but for `exceptBytes`. */
  fill(exceptBytes?: number): Promise<void>;
  /** Gives back what `fill()` took. */
  free(): Promise<void>;
  enlarge(size: string): Promise<void>;
}

export async function smallDisk(size: string): Promise<SmallDisk> {
  const temp = await tempDirectory();
  const ballast = `${temp.path}/ballast`;
  await run("mount", "-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", temp.path);
  return {
    path: temp.path,
    async fill(exceptBytes = 0) {
      using file = await Deno.open(ballast, { create: true, append: true });
      for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) await writeUntilFull(file, bytes);
      if (exceptBytes === 0) return;
      const { size } = await file.stat();
      await Deno.truncate(ballast, Math.max(0, size - exceptBytes));
    },
    free: () => Deno.remove(ballast),
    enlarge: (more) => run("mount", "-o", `remount,size=${more}`, temp.path),
    async [Symbol.asyncDispose]() {
      // Lazy: also when a failed test left a file open.
      await run("umount", "--lazy", temp.path);
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** A folder of this user in which nothing can be made, not even by root. */
export async function readOnlyFolder(path: string): Promise<AsyncDisposable> {
  await Deno.mkdir(path, { recursive: true });
  await run("mount", "-t", "tmpfs", "-o", "ro,size=64k,mode=0700", "tmpfs", path);
  return { [Symbol.asyncDispose]: () => run("umount", "--lazy", path) };
}

async function writeUntilFull(file: Deno.FsFile, bytes: number): Promise<void> {
  const piece = new Uint8Array(bytes);
  try {
    while (await file.write(piece) === bytes);
  } catch (error) {
    if (!(error instanceof Error && /No space left/.test(error.message))) throw error;
  }
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, stdout: "null", stderr: "piped" }).output();
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
