/**
 * Loads the program that `pack.ts` packed, with V8's code for it when that fits.
 * @module
 */
import process from "node:process";
import { Script } from "node:vm";
import { giveUpNetwork, refuseNetworkModule } from "./no_network.js";

/** Gives the exports of the program, and the script for the one who writes its code. Without code, none is used. */
export function loadProgram(folder, code) {
  const source = Deno.readTextFileSync(`${folder}/program.txt`);
  const script = new Script(source, { filename: "queuectl", ...code.length > 0 ? { cachedData: code } : {} });
  const program = { exports: {} };
  giveUpNetwork();
  // Builtin modules are all that the bundle does not hold; each is loaded when it is first used.
  script.runInThisContext()(program.exports, builtinModule, program);
  return { ...program.exports, script };
}

function builtinModule(name) {
  refuseNetworkModule(name);
  return process.getBuiltinModule(name);
}
