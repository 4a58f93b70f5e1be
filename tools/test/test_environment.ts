/**
 * The environment a test file runs in: as on a machine where nobody has set
 * anything, whoever started the run.
 * @module
 */
import { join } from "node:path";

/** Variables that change what queuectl or Deno do or print. */
const REMOVED =
  /^(?:QUEUECTL_.*|XDG_.*|LC_.*|LANGUAGE|NO_COLOR|FORCE_COLOR|CLICOLOR.*|COLUMNS|LINES|RUST_BACKTRACE|DENO_COVERAGE_DIR|DENO_UNSTABLE_.*)$/;

export interface TestPlace {
  /** Made for this one file. */
  directory: string;
  marker: string;
  binary: string;
  denoDirectory: string;
}

/** Makes the directories and gives the variables. */
export async function testEnvironment(place: TestPlace): Promise<Record<string, string>> {
  const home = join(place.directory, "home");
  const temporary = join(place.directory, "tmp");
  await Deno.mkdir(home, { recursive: true });
  await Deno.mkdir(temporary, { recursive: true });

  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !REMOVED.test(name));
  const devCache = Deno.env.get("QUEUECTL_DEV_CACHE");
  const [markerName, markerValue] = place.marker.split("=", 2);
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    TZ: "UTC",
    TERM: "xterm-256color",
    // Would be looked for in the new home otherwise, and fetched again.
    DENO_DIR: place.denoDirectory,
    ...(devCache === undefined ? {} : { QUEUECTL_DEV_CACHE: devCache }),
    QUEUECTL_BIN: place.binary,
    [markerName!]: markerValue!,
  };
}
