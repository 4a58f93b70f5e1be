/**
 * The released copy of install.sh: with the version and the sums in it, so that
 * the same copy installs the same bytes whenever it is run.
 * @module
 */

export interface ReleaseFacts {
  version: string;
  /** Where the folders of releases will be; empty leaves it to QUEUECTL_BASE_URL. */
  baseUrl: string;
  /** Lines of `sha256sum`. */
  sums: string;
}

/** What may stand between single quotes of the shell. */
const PLAIN = /^[A-Za-z0-9_.:/@%+,\n -]*$/;

/** @throws when `script` lacks one of the lines, or a value cannot stand there. */
export function releasedInstaller(script: string, { version, baseUrl, sums }: ReleaseFacts): string {
  let released = script;
  for (
    const [name, value] of Object.entries({ DEFAULT_BASE_URL: baseUrl, RELEASE_VERSION: version, RELEASE_SUMS: sums })
  ) {
    if (!PLAIN.test(value)) throw new Error(`Cannot write ${name} into install.sh: "${value}" needs quoting`);
    const empty = `\n${name}=''\n`;
    if (released.split(empty).length !== 2) throw new Error(`install.sh should have one line ${name}=''`);
    released = released.replace(empty, () => `\n${name}='${value}'\n`);
  }
  return released;
}
