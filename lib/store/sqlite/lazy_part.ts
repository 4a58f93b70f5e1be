/**
 * A part of the store whose module is loaded at its first call, so that
 * `enqueue` does not load what it never uses. All methods of such a part are
 * asynchronous, so callers notice nothing.
 * @module
 */

/** An object whose every method gives a promise. */
type Part<T> = { readonly [K in keyof T]: (...args: never[]) => Promise<unknown> };

export function lazyPart<T extends Part<T>>(load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined;
  return new Proxy({} as T, {
    get: (_target, name) => {
      // Promises look for this in whatever they are given.
      if (name === "then") return undefined;
      return async (...args: never[]) => await (await (loaded ??= load()))[name as keyof T](...args);
    },
  });
}
