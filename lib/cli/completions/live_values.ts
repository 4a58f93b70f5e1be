/**
 * Values that only the store knows, as the completion scripts ask for them: by
 * kind, with what has been typed of the value, and the arguments before it.
 *
 * Only what the command can act on is offered, each with a few words on it.
 * @module
 */
import { UNSUPERVISED_POOLS } from "../../core/pool.ts";
import type { JobHint, Store } from "../../store/store.ts";
import { statesFor } from "./known_values.ts";

export interface LiveValue {
  readonly value: string;
  readonly about?: string | undefined;
}

export interface Question {
  readonly kind: string;
  readonly prefix: string;
  /** Arguments of the command that stand before it. */
  readonly typed: readonly string[];
}

/** As many jobs as `list` shows. Any more are asked for by the beginning of an id. */
const MOST_UNASKED = 50;

/** More than fit on a screen help no one. */
const MOST = 200;

/** The values that fit, best first. `openStore` is called only when the kind needs it. */
export async function liveValues(question: Question, openStore: () => Promise<Store>): Promise<readonly LiveValue[]> {
  const { prefix, typed } = question;
  const found = await valuesOf(question, openStore);
  return found.filter(({ value }) => value.startsWith(prefix) && !typed.includes(value)).slice(0, MOST);
}

async function valuesOf(
  { kind, prefix, typed }: Question,
  openStore: () => Promise<Store>,
): Promise<readonly LiveValue[]> {
  const [noun] = kind.split(":");
  switch (noun) {
    case "job":
      return await jobs(await openStore(), { kind, prefix, typed });
    case "queue":
      return await queues(await openStore(), kind);
    case "pool":
      return await pools(await openStore(), kind);
    case "batch":
      return await batches(await openStore(), kind, prefix);
    case "tag":
      return (await (await openStore()).jobs.completeTags(prefix, MOST)).map((value) => ({ value }));
    case "template":
      return (await (await openStore()).templates.list()).map(({ name, job }) => ({
        value: name,
        about: Object.keys(job).join(", "),
      }));
    case "setting":
      return await settings(kind, openStore);
    case "setting-value":
      return await settingValues(typed[0] ?? "");
    case "state":
      return (await import("../../core/job_state.ts")).STATES.map((value) => ({ value }));
    default:
      return [];
  }
}

async function jobs(store: Store, { kind, prefix, typed }: Question): Promise<readonly LiveValue[]> {
  // Those that stand there already are left out afterwards.
  const most = (prefix === "" ? MOST_UNASKED : MOST) + typed.length;
  const found: JobHint[] = [];
  for (const states of statesFor(kind) ?? [undefined]) {
    const limit = most - found.length;
    if (limit > 0) found.push(...await store.jobs.complete({ prefix, states, limit }));
  }
  return found.map(({ id, state, command }) => ({ value: id, about: `${state}, ${command}` }));
}

async function queues(store: Store, kind: string): Promise<readonly LiveValue[]> {
  const counts = Map.groupBy(await store.jobs.counts(), ({ queue }) => queue);
  const found = (await store.queues.list()).map(({ name, paused }) => {
    const here = counts.get(name) ?? [];
    const count = (isMeant: (state: string) => boolean) =>
      here.filter(({ state }) => isMeant(state)).reduce((sum, { n }) => sum + n, 0);
    const running = count((state) => state === "processing");
    const waiting = count((state) => WAITING.includes(state));
    return { name, paused, running, waiting };
  });
  return found.filter(({ paused, running, waiting }) => {
    switch (kind) {
      case "queue:pause":
        return !paused;
      case "queue:resume":
        return paused;
      case "queue:clear":
        return waiting > 0;
      case "queue:remove":
        return running + waiting === 0;
      default:
        return true;
    }
  }).map(({ name, paused, running, waiting }) => ({
    value: name,
    about: `${paused ? "paused, " : ""}${waiting} waiting, ${running} running`,
  }));
}

const WAITING: readonly string[] = (statesFor("job:edit") ?? []).flat();

async function pools(store: Store, kind: string): Promise<readonly LiveValue[]> {
  const known = await store.pools.list();
  const workers = (await store.workers.list()).filter(({ pool }) =>
    kind === "pool" || !UNSUPERVISED_POOLS.includes(pool)
  );
  if (kind === "pool:here") {
    const host = Deno.hostname();
    return known.filter((pool) => pool.host === host).map(({ name, state, count }) => ({
      value: name,
      about: `${state}, ${count} ${count === 1 ? "worker" : "workers"}`,
    }));
  }
  const names = new Set([...known, ...workers.map(({ pool }) => ({ name: pool }))].map(({ name }) => name));
  return [...names].sort().map((value) => {
    const n = workers.filter(({ pool }) => pool === value).length;
    return { value, about: `${n} ${n === 1 ? "worker" : "workers"}` };
  });
}

async function batches(store: Store, kind: string, prefix: string): Promise<readonly LiveValue[]> {
  const found = await store.batches.complete(prefix, MOST);
  return found.filter(({ sealed }) => kind !== "batch:open" || !sealed).map(({ name, sealed, total, ended }) => ({
    value: name,
    about: `${sealed ? "sealed" : "open"}, ${ended} of ${total} ended`,
  }));
}

async function settings(kind: string, openStore: () => Promise<Store>): Promise<readonly LiveValue[]> {
  const { SETTINGS } = await import("../../config/settings.ts");
  const all = SETTINGS.map(({ key, summary }) => ({ value: key, about: summary }));
  if (kind !== "setting:stored") return all;
  const stored = await (await openStore()).settings.all();
  const kept = all.filter(({ value }) => stored.has(value));
  // With nothing to take away, the names are still worth showing.
  return kept.length > 0 ? kept : all;
}

/** The choices of a setting, whatever spelling of its name was typed. */
async function settingValues(key: string): Promise<readonly LiveValue[]> {
  const { findSetting } = await import("../../config/settings.ts");
  const { choices = [], default: usual } = findSetting(key).spec;
  return choices.map((value) => ({ value, about: value === usual ? "default" : undefined }));
}
