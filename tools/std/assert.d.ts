/** Types of the assertions this project uses; the real package has more. */

// deno-lint-ignore no-explicit-any
type AnyConstructor = abstract new (...args: any[]) => any;
// deno-lint-ignore no-explicit-any
type ErrorConstructor<E extends Error> = abstract new (...args: any[]) => E;

/** Thrown by every assertion that does not hold. */
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

export function assert(expr: unknown, msg?: string): asserts expr;
export function assertFalse(expr: unknown, msg?: string): void;
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;
export function assertInstanceOf<T extends AnyConstructor>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T>;
export function assertNotInstanceOf<A, T>(
  actual: A,
  // deno-lint-ignore no-explicit-any
  unexpectedType: abstract new (...args: any[]) => T,
  msg?: string,
): asserts actual is Exclude<A, T>;
export function assertIsError<E extends Error = Error>(
  error: unknown,
  ErrorClass?: ErrorConstructor<E>,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;

export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T;
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertAlmostEquals(actual: number, expected: number, tolerance?: number, msg?: string): void;

export function assertGreater<T>(actual: T, expected: T, msg?: string): void;
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;
export function assertLess<T>(actual: T, expected: T, msg?: string): void;
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;

export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
export function assertArrayIncludes<T>(
  actual: ArrayLike<T> & Iterable<T>,
  expected: ArrayLike<T> & Iterable<T>,
  msg?: string,
): void;
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;

export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorConstructor<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorConstructor<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;

export function equal(a: unknown, b: unknown): boolean;
export function fail(msg?: string): never;
export function unimplemented(msg?: string): never;
export function unreachable(msg?: string): never;
