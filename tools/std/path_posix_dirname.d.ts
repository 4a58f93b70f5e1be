/** The folder of `path`: "/" for "/x", "." for "x". */
export function dirname(path: string | URL): string;
