/**
 * The lock that proves that a worker lives: held from registration to the end
 * of the process, freed by the kernel at once when it dies, however it dies.
 * @module
 */
export interface WorkerLock {
  /** Notes a process group that was started, for those who clean up after us. No sync: it matters only while we are up. */
  record(claim: number, pgid: number, processStart: string): void;
  release(): void;
}

export function takeWorkerLock(runFolder: string, workerId: string): WorkerLock {
  const lockPath = `${runFolder}/worker-${workerId}.lock`;
  const recordPath = `${runFolder}/worker-${workerId}.groups`;
  const lock = Deno.openSync(lockPath, { read: true, write: true, create: true, mode: 0o600 });
  if (!lock.tryLockSync(true)) throw new Error(`Cannot lock ${lockPath}: another process holds it`);
  let records: Deno.FsFile | undefined;
  const encoder = new TextEncoder();
  return {
    record(claim, pgid, start) {
      records ??= Deno.openSync(recordPath, { append: true, create: true, mode: 0o600 });
      records.writeSync(encoder.encode(`${claim} ${pgid} ${start}\n`));
    },
    release() {
      records?.close();
      for (const path of [recordPath, lockPath]) {
        try {
          Deno.removeSync(path);
        } catch {
          // The folder went away under us, or there was nothing to record.
        }
      }
      lock.close();
    },
  };
}
