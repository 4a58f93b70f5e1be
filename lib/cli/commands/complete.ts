/**
 * `__complete KIND [PREFIX] [TYPED...]`: what the completion scripts ask for,
 * one value to a line; with --describe a tab and a few words on it follow.
 * Called at every Tab, so it is quick, changes nothing, and when anything goes
 * wrong it is silent.
 * @module
 */
import { visibleText } from "../../core/visible_text.ts";
import type { Store } from "../../store/store.ts";
import type { Input } from "../command.ts";
import { type LiveValue, liveValues } from "../completions/live_values.ts";
import type { Context } from "../context.ts";
import { isOn, requiredWord, word } from "../input.ts";

/** What fits beside an id in 80 columns. Characters, not columns: shells cut what is still too long. */
const MOST_ABOUT = 60;

export async function run(context: Context, input: Input): Promise<number> {
  const question = { kind: requiredWord(input, 0), prefix: word(input, 1) ?? "", typed: input.words.slice(2) };
  let store: Promise<Store> | undefined;
  try {
    const found = await liveValues(question, () => store ??= openStore(context));
    const lines = found.filter(({ value }) => isPlain(value)).map((each) => lineOf(each, isOn(input, "describe")));
    context.write(lines.join(""));
    return 0;
  } catch {
    // A database that cannot be read, or a kind of a newer script: nothing to offer, and no place to say so.
    return 1;
  } finally {
    await store?.then((opened) => opened.close(), () => {});
  }
}

/** Waits for nobody: a prompt that hangs is worse than one that offers nothing. */
async function openStore(context: Context): Promise<Store> {
  const { openStore } = await import("../../store/mod.ts");
  return await openStore(context.dbPath, { mode: "read", clock: context.clock, busyTimeoutMs: 0 });
}

function lineOf({ value, about }: LiveValue, isDescribed: boolean): string {
  if (!isDescribed) return `${value}\n`;
  const text = visibleText(about ?? "");
  const characters = [...text];
  return `${value}\t${characters.length <= MOST_ABOUT ? text : `${characters.slice(0, MOST_ABOUT - 3).join("")}...`}\n`;
}

/** A value with a line end would come apart, and one with another control character would drive the terminal. */
function isPlain(value: string): boolean {
  return value !== "" && visibleText(value) === value;
}
