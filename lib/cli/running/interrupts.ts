/**
 * Ctrl-C while `queuectl run` shows a job: the first one cancels the job, the
 * second one leaves it to itself.
 *
 * Every other signal ends the client as usual, and the job goes on: it belongs
 * to a worker of its own.
 * @module
 */
export interface Interrupts {
  /** Aborted by the second Ctrl-C. */
  readonly left: AbortSignal;
  close(): void;
}

export function followInterrupts(onFirst: () => void): Interrupts {
  const left = new AbortController();
  let isFirst = true;
  const listener = () => {
    if (!isFirst) return left.abort();
    isFirst = false;
    onFirst();
  };
  Deno.addSignalListener("SIGINT", listener);
  return { left: left.signal, close: () => Deno.removeSignalListener("SIGINT", listener) };
}
