/** Whether another user can start our program where it lies. @module */

/** The first folder on the way to `path` that a user who owns none of them may not enter. */
export function closedFolder(path: string, uid: number): string | undefined {
  const folders = path.split("/").slice(1, -1).map((_, i, parts) => `/${parts.slice(0, i + 1).join("/")}`);
  return folders.find((folder) => {
    const { mode, uid: owner } = Deno.statSync(folder);
    return mode !== null && (mode & (owner === uid ? 0o100 : 0o001)) === 0;
  });
}
