/**
 * queuectl from its sources with a wall clock that a test can set:
 * `clocked_queuectl.ts FILE ARGUMENT...`. FILE says by how many milliseconds the
 * clock is wrong; it is read at every look at the clock, so that a new number
 * there is the clock being set. Time that goes by is not touched by it.
 * @module
 */
import { run } from "../../lib/cli/run.ts";

const [file = "", ...args] = Deno.args;
const rightTime = Date.now;
Date.now = () => rightTime() + Number(Deno.readTextFileSync(file));
Deno.exit(await run(args));
