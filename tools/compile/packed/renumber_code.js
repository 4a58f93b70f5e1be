/**
 * Writes the code of `write_code.js` again, now from the code alone.
 *
 * V8 numbers functions as they are first called, and jobs make that order differ
 * from run to run. It numbers them anew, in the order of the file, when it loads one.
 *
 * Arguments: the folder of the program and the file of code.
 * @module
 */
import { Script } from "node:vm";

const [folder, file] = Deno.args;
const script = new Script(Deno.readTextFileSync(`${folder}/program.txt`), {
  filename: "queuectl",
  cachedData: Deno.readFileSync(`${folder}/${file}`),
});
if (script.cachedDataRejected) throw new Error(`V8 refuses ${file}, which it has just written`);
Deno.writeFileSync(`${folder}/${file}`, script.createCachedData());
