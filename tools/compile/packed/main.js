/**
 * Where the packed program starts: `main.ts` of the compiled one.
 * @module
 */
import { loadProgram } from "./load_program.js";

/** Words with which jobs are run. Taken for one by mistake, a command starts a little later, and that is all. */
const RUNS_JOBS = /^(__worker|__run|worker)$/;

const folder = import.meta.dirname;
const code = Deno.args.some((word) => RUNS_JOBS.test(word)) ? "workers.code" : "commands.code";
const { run } = loadProgram(folder, Deno.readFileSync(`${folder}/${code}`));

Deno.exit(await run(Deno.args));
