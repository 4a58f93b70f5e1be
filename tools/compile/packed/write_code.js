/**
 * Writes V8's code of the packed program in the folder given: runs what is to
 * start quickly, then keeps every function that was compiled for it.
 * @module
 */
import { loadProgram } from "./load_program.js";

const [folder] = Deno.args;
const { run, script } = loadProgram(folder, new Uint8Array());
const home = Deno.makeTempDirSync({ prefix: "queuectl-pack-" });
// Nothing of the caller's may be read or asked for: settings come from the environment, too.
for (const name of Object.keys(Deno.env.toObject())) if (name.startsWith("QUEUECTL_")) Deno.env.delete(name);
try {
  // Twice: the first one makes the database, the second is what people do.
  for (let i = 0; i < 2; i++) {
    const code = await run(["--quiet", "--db", `${home}/queue.db`, "enqueue", "true"]);
    if (code !== 0) throw new Error(`enqueue ended with code ${code}`);
  }
} finally {
  Deno.removeSync(home, { recursive: true });
}
Deno.writeFileSync(`${folder}/program.cache`, script.createCachedData());
