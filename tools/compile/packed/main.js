/**
 * Where the packed program starts: `main.ts` of the compiled one.
 * @module
 */
import { loadProgram } from "./load_program.js";

const { run } = loadProgram(import.meta.dirname);

Deno.exit(await run(Deno.args));
