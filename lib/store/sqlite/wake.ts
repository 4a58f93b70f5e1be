/**
 * Tells idle workers that there is something to do: a file in a folder of its
 * own whose time is touched after a commit, and watched.
 *
 * Watching the database itself loses events (the change is seen before the
 * commit is visible) and would wake every worker at each result.
 * @module
 */
import { openOwnFile } from "../../host/own_file.ts";
import { ownFolders } from "../../host/own_folder.ts";
import type { WakeUp } from "../store.ts";

export function sqliteWake(folder: string): WakeUp {
  const wakeFolder = `${folder}/run/wake`;
  const file = `${wakeFolder}/w`;
  return {
    poke() {
      try {
        const now = new Date();
        Deno.utimeSync(file, now, now);
      } catch {
        // No worker ever ran here, so nobody waits; and one that does also polls.
      }
    },
    watch(onWake) {
      let watcher: Deno.FsWatcher | undefined;
      try {
        ownFolders(folder, "run", "wake");
        openOwnFile(file, { write: true }).close();
        watcher = Deno.watchFs(wakeFolder, { recursive: false });
      } catch {
        // The system is out of watches: polling alone still finds everything.
        return { close() {} };
      }
      const isOver = (async () => {
        for await (const _event of watcher) onWake();
      })().catch(() => {});
      return {
        close() {
          watcher.close();
          return isOver;
        },
      };
    },
  };
}
