/** Tells from an ELF header which machine a program is for. @module */

/** `e_machine` at byte 18; the values are from the ELF specification. */
const MACHINES: ReadonlyMap<number, string> = new Map([[0x3e, "x86_64"], [0xb7, "aarch64"]]);
const MACHINE_OFFSET = 18;
const HEADER_BYTES = 20;
const MAGIC = 0x7f454c46;

/** The machine `path` is for, as in the first part of a target, or what it is instead. */
export async function elfMachine(path: string): Promise<string> {
  using file = await Deno.open(path);
  const header = new Uint8Array(HEADER_BYTES);
  const length = await file.read(header);
  const view = new DataView(header.buffer);
  if (length !== HEADER_BYTES || view.getUint32(0) !== MAGIC) return "nothing (not an ELF file)";
  const machine = view.getUint16(MACHINE_OFFSET, true);
  return MACHINES.get(machine) ?? `ELF machine ${machine}`;
}
