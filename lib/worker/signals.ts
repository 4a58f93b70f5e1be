/**
 * First signal: stop claiming, let running jobs finish. Second: stop now.
 * Signals coalesce, so each is a flag, never a count; two within a moment of
 * each other may arrive as one.
 * @module
 */
export interface StopSignals {
  /** Resolves at the first INT, TERM or HUP. */
  readonly first: Promise<Deno.Signal>;
  /** Resolves at the second. */
  readonly second: Promise<Deno.Signal>;
  close(): void;
}

const SIGNALS: readonly Deno.Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

export function listenForStop(): StopSignals {
  const first = Promise.withResolvers<Deno.Signal>();
  const second = Promise.withResolvers<Deno.Signal>();
  let seen = 0;
  const listeners = SIGNALS.map((signal) => {
    const listener = () => (seen++ === 0 ? first : second).resolve(signal);
    Deno.addSignalListener(signal, listener);
    return { signal, listener };
  });
  return {
    first: first.promise,
    second: second.promise,
    close() {
      for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
    },
  };
}
