/**
 * Loads the program that `pack.ts` packed, with V8's code for it when that fits.
 * @module
 */
import process from "node:process";
import { Script } from "node:vm";

/** Gives the exports of the program, and the script for the one who writes its code. Without code, none is used. */
export function loadProgram(folder, code) {
  const source = Deno.readTextFileSync(`${folder}/program.txt`);
  const script = new Script(source, { filename: "queuectl", ...code.length > 0 ? { cachedData: code } : {} });
  const program = { exports: {} };
  // Builtin modules are all that the bundle does not hold; each is loaded when it is first used.
  script.runInThisContext()(program.exports, (name) => process.getBuiltinModule(name), program);
  return { ...program.exports, script };
}
