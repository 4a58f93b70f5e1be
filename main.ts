/**
 * queuectl: a durable background job queue in one binary.
 * @module
 */
import { run } from "./lib/cli/run.ts";

Deno.exit(await run(Deno.args));
