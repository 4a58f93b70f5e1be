/**
 * Where manual pages belong.
 * @module
 */
import { UsageError } from "../../core/errors.ts";
import { absolutePath } from "../absolute_path.ts";
import type { Input } from "../command.ts";
import { isOn, text } from "../input.ts";

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

/** At most one of them; none: what suits the user. */
export interface FolderWish {
  readonly dir: string | undefined;
  readonly user: boolean;
  readonly system: boolean;
}

export function wishOf(input: Input): FolderWish {
  return { dir: text(input, "dir"), user: isOn(input, "user"), system: isOn(input, "system") };
}

/** man-db finds the folder of a user by itself when ~/.local/bin is on PATH: it looks into ../share/man beside it. */
export function manFolder({ env, uid = Deno.uid() }: FolderOwner, { dir, user, system }: FolderWish): ManFolder {
  if ([dir !== undefined, user, system].filter((isSaid) => isSaid).length > 1) {
    throw new UsageError("Cannot write to several folders: give one of --user, --system and --dir");
  }
  if (dir === "") throw new UsageError('Invalid --dir "": expected a folder');
  const root = dir !== undefined
    ? absolutePath(dir).replace(/\/+$/, "").replace(/\/man1$/, "")
    : system || uid === 0 && !user
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
