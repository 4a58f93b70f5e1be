/**
 * Where manual pages belong.
 * @module
 */
import { UsageError } from "../../core/errors.ts";
import { absolutePath } from "../absolute_path.ts";

/** man(1) looks here on every system, before the pages of packages. */
const SYSTEM_ROOT = "/usr/local/share/man";

export interface ManFolder {
  /** What MANPATH names. */
  readonly root: string;
  /** Folder of section 1. */
  readonly pages: string;
  /** It belongs to the system, and stays when it is empty. */
  readonly isShared: boolean;
}

/** Who asks. */
export interface FolderOwner {
  env(name: string): string | undefined;
  /** Default: of this process. */
  readonly uid?: number | null;
}

export interface FolderWish {
  readonly dir: string | undefined;
  readonly system: boolean;
}

/** man-db finds the folder of a user by itself when ~/.local/bin is on PATH: it looks into ../share/man beside it. */
export function manFolder({ env, uid = Deno.uid() }: FolderOwner, { dir, system }: FolderWish): ManFolder {
  if (dir !== undefined && system) throw new UsageError("Cannot use --dir and --system together");
  if (dir === "") throw new UsageError('Invalid --dir "": expected a folder');
  const root = dir !== undefined
    ? absolutePath(dir).replace(/\/+$/, "").replace(/\/man1$/, "")
    : system || uid === 0
    ? SYSTEM_ROOT
    : `${dataHome(env)}/man`;
  return { root, pages: `${root}/man1`, isShared: root === SYSTEM_ROOT };
}

function dataHome(env: (name: string) => string | undefined): string {
  const said = env("XDG_DATA_HOME");
  // The XDG specification asks to ignore relative paths.
  if (said?.startsWith("/")) return said.replace(/\/+$/, "");
  const home = env("HOME");
  if (home?.startsWith("/")) return `${home.replace(/\/+$/, "")}/.local/share`;
  throw new UsageError("Cannot tell where manual pages belong: HOME is not set", {
    hint: "name the folder with --dir",
  });
}
