/**
 * `version`: which queuectl this is, and what it is made of.
 * @module
 */
import { VERSION } from "../../version.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isJsonFormat, jsonText } from "../output/json.ts";

/** Beside the main module: in the sources as in the program, which the build puts it into. */
const NOTICES = "THIRD_PARTY_NOTICES";

export async function run(context: Context, input: Input): Promise<void> {
  const licenses = input.flags.get("licenses") === true ? await notices() : undefined;
  if (isJsonFormat(context)) {
    const facts = { version: VERSION, deno: Deno.version.deno, target: Deno.build.target };
    context.print(jsonText({ ...facts, ...licenses === undefined ? {} : { licenses } }));
  } else if (licenses === undefined) context.print(`queuectl ${VERSION}`);
  else context.write(`${licenses}\n`);
}

async function notices(): Promise<string> {
  return (await Deno.readTextFile(new URL(NOTICES, Deno.mainModule))).trimEnd();
}
