/**
 * Waiting until something may have been printed: a change in the folder of
 * outputs wakes at once, and where that is not seen (another host, no watches
 * left, a result that touches no file) a short pause does.
 * @module
 */

export interface OutputWatch {
  /** Returns at a change, after a pause, or when the signal is aborted. */
  wait(): Promise<void>;
  close(): Promise<void>;
}

/** First pause; each one that was in vain makes the next one longer ... */
const MIN_PAUSE_MS = 5;
const PAUSE_GROWTH = 1.3;
/** ... up to this: ten looks in a second cost next to nothing. */
const MAX_PAUSE_MS = 100;
/** A process that prints line by line makes an event each: look after some. */
const GATHER_MS = 2;

/** Watches files whose names begin with `prefix`, a number and a dash, in a folder that may not exist yet. */
export function watchOutput(folder: string, prefix: string, signal: AbortSignal): OutputWatch {
  let pauseMs = MIN_PAUSE_MS;
  let wake: (() => void) | undefined;
  let isChanged = false;
  let watching: { watcher: Deno.FsWatcher; isOver: Promise<void> } | undefined;
  const start = `${folder}/${prefix}`;

  const begin = () => {
    let watcher: Deno.FsWatcher;
    try {
      watcher = Deno.watchFs(folder, { recursive: false });
    } catch {
      // Not there before the first worker, or out of watches: the pauses find everything, too.
      return undefined;
    }
    const isOver = (async () => {
      for await (const { paths } of watcher) {
        if (!paths.some((path) => path.startsWith(start))) continue;
        isChanged = true;
        wake?.();
      }
    })().catch(() => {});
    return { watcher, isOver };
  };
  const onAbort = () => wake?.();
  signal.addEventListener("abort", onAbort);

  const sleep = async (ms: number, isWoken: () => boolean) => {
    if (isWoken()) return;
    let timer: number | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    wake = undefined;
    clearTimeout(timer);
  };

  return {
    async wait() {
      watching ??= begin();
      await sleep(pauseMs, () => isChanged || signal.aborted);
      pauseMs = isChanged ? MIN_PAUSE_MS : Math.min(MAX_PAUSE_MS, pauseMs * PAUSE_GROWTH);
      if (isChanged) await sleep(GATHER_MS, () => signal.aborted);
      isChanged = false;
    },
    async close() {
      signal.removeEventListener("abort", onAbort);
      watching?.watcher.close();
      await watching?.isOver;
    },
  };
}
