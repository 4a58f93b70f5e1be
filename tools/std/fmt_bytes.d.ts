/** How {@linkcode format} writes a size. */
export interface FormatOptions {
  /** Bits instead of bytes. Default: false */
  bits?: boolean;
  /** Powers of 1024 (KiB) instead of 1000 (kB). Default: false */
  binary?: boolean;
  /** A sign for positive numbers too. Default: false */
  signed?: boolean;
  /** Number format of a language; `true` for the system's. Default: false */
  locale?: boolean | string | string[];
  minimumFractionDigits?: number;
  maximumFractionDigits?: number;
}

/** A size for people: `format(1337)` is `1.34 kB`. */
export function format(num: number, options?: FormatOptions): string;
