/**
 * `__complete KIND [PREFIX]`: what the completion scripts ask for, one value to
 * a line. Called at every Tab, so it is quick, changes nothing, and when
 * anything goes wrong it is silent.
 * @module
 */
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { requiredWord, word } from "../input.ts";

/** More than fit on a screen help no one. */
const MOST = 200;

export async function run(context: Context, input: Input): Promise<number> {
  const prefix = word(input, 1) ?? "";
  try {
    const found = await candidates(context, requiredWord(input, 0), prefix);
    const fitting = found.filter((candidate) => candidate.startsWith(prefix) && isOneWord(candidate)).slice(0, MOST);
    if (fitting.length > 0) context.write(fitting.join("\n") + "\n");
    return 0;
  } catch {
    // No database yet, or one that cannot be read: nothing to offer, and no place to say so.
    return 1;
  }
}

async function candidates(context: Context, kind: string, prefix: string): Promise<readonly string[]> {
  switch (kind) {
    case "job":
      return await (await context.store("read")).jobs.completeIds(prefix, MOST);
    case "queue":
      return (await (await context.store("read")).queues.list()).map((queue) => queue.name);
    case "tag":
      return await (await context.store("read")).jobs.completeTags(prefix, MOST);
    case "template":
      return (await (await context.store("read")).templates.list()).map((template) => template.name);
    case "pool": {
      const store = await context.store("read");
      const pools = await store.pools.list();
      const workers = await store.workers.list();
      return [...new Set([...pools.map(({ name }) => name), ...workers.map(({ pool }) => pool)])].sort();
    }
    case "batch":
      return (await (await context.store("read")).batches.list()).map((batch) => batch.name);
    case "state":
      return (await import("../../core/job_state.ts")).STATES;
    case "setting":
      return (await import("../../config/settings.ts")).SETTINGS.map((setting) => setting.key);
    default:
      return [];
  }
}

/** A value with a line end or another control character would come apart in the shell. */
function isOneWord(value: string): boolean {
  // deno-lint-ignore no-control-regex
  return !/[\x00-\x1f\x7f]/.test(value);
}
