/**
 * Settings as they hold now, and where each came from:
 * environment > store > default. Flags of a command come before all of them
 * and are the command's own business.
 *
 * The guard `allow_commands` is the exception: where the store has one, the
 * environment of a caller neither replaces it nor chooses the shell.
 * @module
 */
import {
  canonicalSetting,
  type SettingKey,
  SETTINGS,
  type SettingSpec,
  settingValue,
  type SettingValues,
} from "./settings.ts";

export type SettingOrigin = "environment" | "store" | "default";

export interface Settings {
  readonly values: Readonly<SettingValues>;
  /** Canonical text of a setting, and its origin. */
  describe(key: SettingKey): { text: string; origin: SettingOrigin };
}

export interface SettingSources {
  readonly env: (name: string) => string | undefined;
  /** Rows of the settings table: key -> canonical text. */
  readonly stored: ReadonlyMap<string, string>;
}

/** The variable that sets a setting: `QUEUECTL_MAX_RETRIES`. */
export function environmentName(spec: SettingSpec): string {
  return `QUEUECTL_${spec.key.toUpperCase()}`;
}

/** The environment does not set these while the store holds a guard. */
const GUARDED: ReadonlySet<SettingKey> = new Set(["allow_commands", "shell"]);

/** What the environment says of a setting; undefined: nothing, or nothing that counts. */
export function textOfEnvironment(spec: SettingSpec, { env, stored }: SettingSources): string | undefined {
  if (GUARDED.has(spec.key) && stored.get("allow_commands")) return undefined;
  return env(environmentName(spec)) || undefined;
}

/** @throws {InvalidValueError} when the environment holds a value that is not allowed. */
export function loadSettings({ env, stored }: SettingSources): Settings {
  const texts = new Map<SettingKey, { text: string; origin: SettingOrigin }>();
  const values = {};
  for (const spec of SETTINGS) {
    const said = textOfEnvironment(spec, { env, stored });
    const kept = stored.get(spec.key);
    const described = said !== undefined
      ? { text: canonicalSetting(spec.key, said).text, origin: "environment" as const }
      : kept !== undefined
      ? { text: kept, origin: "store" as const }
      : { text: spec.default, origin: "default" as const };
    texts.set(spec.key, described);
    defineLazily(values, spec.key, () => settingValue(spec, described.text));
  }
  return {
    values: values as SettingValues,
    describe: (key) => texts.get(key) ?? { text: "", origin: "default" },
  };
}

/** Most commands need a few settings: reading the texts of all of them takes as long as storing a job. */
function defineLazily(target: object, key: string, read: () => string | number): void {
  Object.defineProperty(target, key, {
    configurable: true,
    enumerable: true,
    get() {
      const value = read();
      Object.defineProperty(target, key, { enumerable: true, value });
      return value;
    },
  });
}
