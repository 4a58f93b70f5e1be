/**
 * Writes V8's code of the packed program: runs what is to start quickly, then
 * keeps every function that was compiled for it.
 *
 * Arguments: the folder of the program, the file to write, and `commands` or
 * `workers` for what to run.
 * @module
 */
import { loadProgram } from "./load_program.js";

const [folder, file, kind] = Deno.args;
setClock("2026-01-01T00:00:10Z");
const { run, script } = loadProgram(folder, new Uint8Array());
const home = Deno.makeTempDirSync({ prefix: "queuectl-pack-" });
// Nothing of the caller's may be read: settings come from the environment, too.
for (const name of Object.keys(Deno.env.toObject())) if (name.startsWith("QUEUECTL_")) Deno.env.delete(name);
// In the folder that is removed at the end, which jobs take over.
Deno.chdir(home);

/**
 * The program adds up its runs by the minute. Two runs on both sides of a minute's
 * end call other functions than two within one, so the clock starts at the same second.
 */
function setClock(time) {
  const start = Date.parse(time);
  Date.now = () => start + Math.floor(performance.now());
}

async function runs(...args) {
  const code = await run(["--quiet", "--db", `${home}/queue.db`, ...args]);
  if (code !== 0) throw new Error(`\`queuectl ${args.join(" ")}\` ended with code ${code}`);
}

try {
  // Twice: the first one makes the database, the second is what people do.
  for (let i = 0; i < 2; i++) await runs("enqueue", "true");
  if (kind === "workers") {
    // Not 0 for one that is retried, as most failures are; with it comes what happens between two tries.
    // Half way between two steps of maintenance, which come each second: near one, it would be called or not.
    await runs(
      "enqueue",
      "--max-retries",
      "1",
      "--backoff",
      "fixed:2500ms",
      "--",
      "sh",
      "-c",
      '[ "$QUEUECTL_RUN" = 2 ]',
    );
    await runs("worker", "run", "--drain", "--concurrency", "2");
  }
} finally {
  Deno.removeSync(home, { recursive: true });
}
Deno.writeFileSync(`${folder}/${file}`, script.createCachedData());
