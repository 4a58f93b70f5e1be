/**
 * Makes code that was written under other flags of V8 acceptable to a program without flags.
 *
 * V8 refuses code whose header has another hash of flags. The flags of `pack.ts`
 * turn compilers off that work beside the bytecode; they do not change the
 * bytecode, which is what the file holds.
 *
 * Arguments: the folder of the program and the file of code.
 * @module
 */
import { Script } from "node:vm";

/** The header is magic number, version, source, flags: 4 bytes each. */
const VERSION_END = 8;
const FLAGS_START = 12;
const FLAGS_END = 16;

const [folder, file] = Deno.args;
const code = Deno.readFileSync(`${folder}/${file}`);
const own = new Uint8Array(new Script("0").createCachedData());
if (own.subarray(0, VERSION_END).some((byte, i) => byte !== code[i])) {
  throw new Error(`Cannot seal ${file}: another V8 has written it`);
}
code.set(own.subarray(FLAGS_START, FLAGS_END), FLAGS_START);

const script = new Script(Deno.readTextFileSync(`${folder}/program.txt`), { filename: "queuectl", cachedData: code });
if (script.cachedDataRejected) throw new Error(`V8 refuses ${file}: its header is not what this version writes`);
Deno.writeFileSync(`${folder}/${file}`, code);
