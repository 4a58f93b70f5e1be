/**
 * Reads a unit file as systemd does, as far as ours need it: assignments by
 * section, words with quotes and backslashes, `%%` and `$$`.
 * @module
 */
export interface ReadUnit {
  /** The values of one name, in order. */
  values(name: string): readonly string[];
  /** The only value of a name. */
  value(name: string): string;
  /** The words of a command line, as the program gets them. */
  command(name: string): readonly [string, ...string[]];
  /** What Environment= says. */
  readonly environment: Readonly<Record<string, string>>;
}

export function readUnit(text: string): ReadUnit {
  const assignments = text.split("\n").filter((line) => /^[A-Za-z]+=/.test(line)).map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  const values = (name: string) => assignments.filter(([found]) => found === name).map(([, value]) => value);
  const value = (name: string) => {
    const [first, ...others] = values(name);
    if (first === undefined || others.length > 0) throw new Error(`${name}= is there ${values(name).length} times`);
    return first;
  };
  return {
    values,
    value,
    command: (name) => {
      const [program = "", ...args] = words(value(name));
      return [program, ...args.map((arg) => arg.replaceAll("$$", "$"))];
    },
    environment: Object.fromEntries(
      values("Environment").flatMap(words).map((word) => {
        const at = word.indexOf("=");
        return [word.slice(0, at), word.slice(at + 1)];
      }),
    ),
  };
}

function words(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"]+)/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "").replaceAll("%%", "%")
  );
}
