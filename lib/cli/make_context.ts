/**
 * Makes the Context of one command from its global options. Everything that
 * costs time (the store, the settings, asking the terminal) waits until it is
 * asked for.
 * @module
 */
import { ownVariable } from "../host/own_environment.ts";
import { databasePath, saidPath } from "../config/paths.ts";
import type { Settings } from "../config/load_settings.ts";
import type { Clock } from "../core/clock.ts";
import { TRUST_VARIABLE } from "../host/trust.ts";
import type { Store } from "../store/store.ts";
import type { FlagValue } from "./command.ts";
import type { Context, Format, StoreMode } from "./context.ts";
import { writeErr, writeOut } from "./output/streams.ts";
import { shownLine, shownText } from "./output/terminal_text.ts";

/** A Context together with the duty to put away what it opened. */
export interface OwnedContext extends Context {
  close(): Promise<void>;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A store opened for more also serves those who want less. */
const RANK: Readonly<Record<StoreMode, number>> = { read: 0, write: 1, work: 2 };

/** Without a terminal there is no width; 80 columns have been usual since the VT100. */
const USUAL_COLUMNS = 80;

/** `isSilent`: nobody reads its warnings, and where they appeared they would be in the way. */
export function makeContext(flags: ReadonlyMap<string, FlagValue>, { isSilent = false } = {}): OwnedContext {
  const env = (name: string) => ownVariable(name);
  const stores: { mode: StoreMode; store: Promise<Store> }[] = [];
  let settings: Promise<Settings> | undefined;
  let dbPath: string | undefined;

  const context: OwnedContext = {
    format: formatOf(flags.get("format")),
    quiet: flags.get("quiet") === true,
    verbose: flags.get("verbose") === true,
    yes: flags.get("yes") === true,
    clock: SYSTEM_CLOCK,
    env,
    get isTerminal() {
      return Deno.stdout.isTerminal();
    },
    get color() {
      return wantsColor(flags) && Deno.stdout.isTerminal();
    },
    get colorErr() {
      return wantsColor(flags) && Deno.stderr.isTerminal();
    },
    get columns() {
      return terminalColumns();
    },
    get dbPath() {
      return dbPath ??= placeOf(context, flags.get("trust-owner") === true);
    },
    get dbFlag() {
      const flag = flags.get("db");
      return typeof flag === "string" ? flag : undefined;
    },
    write: (text, options) => writeOut(shownText(text, { hasStyles: options?.isStyled === true && context.color })),
    writeBytes: (bytes) => writeOut(bytes),
    print: (line) => writeOut(`${shownLine(line)}\n`),
    note(line) {
      if (!context.quiet) writeErr(`${shownLine(line)}\n`);
    },
    warn(line) {
      if (!isSilent) writeErr(`queuectl: warning: ${shownLine(line)}\n`);
    },
    store(mode) {
      const open = stores.find((candidate) => RANK[candidate.mode] >= RANK[mode]);
      if (open !== undefined) return open.store;
      const store = openFor(context, mode);
      stores.push({ mode, store });
      return store;
    },
    settings() {
      return settings ??= settingsFor(context);
    },
    async close() {
      // A store that could not be opened has told so already, to the one who asked for it.
      for (const { store } of stores.splice(0)) await (await store.catch(() => undefined))?.close();
    },
  };
  return context;
}

/**
 * Where the database is. What the user trusts goes into the environment, as a whole path: there, all that looks at the
 * database finds it, and so do the processes that we start.
 */
function placeOf({ dbFlag, env }: Pick<Context, "dbFlag" | "env">, isTrusted: boolean): string {
  const path = databasePath({ flag: dbFlag, env });
  const trusted = env(TRUST_VARIABLE);
  if (isTrusted) Deno.env.set(TRUST_VARIABLE, path);
  else if (trusted && isSamePlace(trusted, path)) Deno.env.set(TRUST_VARIABLE, path);
  return path;
}

function isSamePlace(trusted: string, path: string): boolean {
  try {
    return databasePath({ flag: trusted, env: () => undefined }) === path;
  } catch {
    return false; // a link that is not followed
  }
}

async function openFor(context: Context, mode: StoreMode): Promise<Store> {
  const { openStore } = await import("../store/mod.ts");
  // What workers do is told by the runs; reading leaves no trace.
  const actor = mode === "write" ? (await import("./actor.ts")).currentActor() : undefined;
  return await openStore(context.dbPath, {
    mode,
    clock: context.clock,
    actor,
    alias: saidPath({ flag: context.dbFlag, env: context.env }),
    onWarning: context.warn,
  });
}

async function settingsFor(context: Context): Promise<Settings> {
  const { loadSettings } = await import("../config/load_settings.ts");
  const store = await context.store("read");
  return loadSettings({ env: context.env, stored: await store.settings.all() });
}

function formatOf(value: FlagValue | undefined): Format {
  return value === "json" || value === "ndjson" || value === "plain" ? value : "table";
}

/** https://no-color.org: any value but the empty one turns colour off. */
export function wantsColor(flags: ReadonlyMap<string, FlagValue>): boolean {
  return flags.get("no-color") !== true && !Deno.noColor && !isDumbTerminal();
}

/** Also when the name of the terminal makes no sense: no error could be told in colour otherwise. */
function isDumbTerminal(): boolean {
  try {
    return ownVariable("TERM") === "dumb";
  } catch {
    return true;
  }
}

function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns || USUAL_COLUMNS;
  } catch {
    // Not a terminal.
    return USUAL_COLUMNS;
  }
}
