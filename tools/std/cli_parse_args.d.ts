/** Which flags there are. Without the inference of the real types: the result is read with a check per flag. */
export interface ParseOptions {
  /** Keep everything after `--` apart, under the key `--`. Default: false */
  "--"?: boolean;
  alias?: Record<string, string | string[]>;
  boolean?: boolean | string | readonly string[];
  collect?: string | readonly string[];
  default?: Record<string, unknown>;
  negatable?: string | readonly string[];
  /** Stop at the first argument that is not a flag. Default: false */
  stopEarly?: boolean;
  string?: string | readonly string[];
  /** Called for a flag not declared; returning false leaves it out. */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** Flags by name; what is left over under `_`. */
export interface Args {
  [flag: string]: unknown;
  _: (string | number)[];
  "--"?: string[];
}

export function parseArgs(args: readonly string[], options?: ParseOptions): Args;
