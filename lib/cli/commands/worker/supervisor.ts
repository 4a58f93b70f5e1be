/** `__supervisor`: what `worker start` starts in the background. @module */
import { USUAL_POOL } from "../../../core/pool.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn, text } from "../../input.ts";
import { supervise } from "../../supervise.ts";

export async function run(context: Context, input: Input): Promise<void> {
  await supervise(context, {
    key: { name: text(input, "pool") ?? USUAL_POOL, host: text(input, "host") ?? Deno.hostname() },
    isForeground: false,
    isSuccessor: isOn(input, "successor"),
  });
}
