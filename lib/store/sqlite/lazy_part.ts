/**
 * A part of the store whose module is loaded at its first call, so that
 * `enqueue` does not load what it never uses. All methods of such a part are
 * asynchronous, so callers notice nothing.
 * @module
 */

/** An object whose every method gives a promise. */
type Part<T> = { readonly [K in keyof T]: (...args: never[]) => Promise<unknown> };

export function lazyPart<T extends Part<T>>(load: () => Promise<T>): T {
  return lazyRest<T, never>({}, load);
}

/** The same for a part of which some methods are there already. */
export function lazyRest<T extends Part<Omit<T, K>>, K extends keyof T>(
  own: Pick<T, K>,
  load: () => Promise<Omit<T, K>>,
): T {
  let loaded: Promise<Part<Omit<T, K>>> | undefined;
  return new Proxy(own as T, {
    get: (_target, name) => {
      if (name in own) return own[name as K];
      // Promises look for this in whatever they are given.
      if (name === "then") return undefined;
      return async (...args: never[]) =>
        await (await (loaded ??= load() as Promise<Part<Omit<T, K>>>))[name as Exclude<keyof T, K>](...args);
    },
  });
}
