/**
 * The file THIRD_PARTY_NOTICES: whose work is inside the program, and under which terms.
 * The program holds it for `version --licenses`, and a release has it beside the programs.
 * @module
 */
import { join } from "node:path";
import { ROOT } from "./compiler.ts";
import { type Component, type Inventory, takeInventory } from "./inventory.ts";

/** Its name beside the main module, in the sources as in the program. */
export const NOTICES = "THIRD_PARTY_NOTICES";

/** Of a program with one of `runtimes`. */
export async function noticesFor(runtimes: readonly string[]): Promise<string> {
  return notices(await takeInventory(runtimes), await Deno.readTextFile(join(ROOT, "LICENSE")));
}

const RULE = "=".repeat(78);

export function notices({ packages, runtime, libraries, crates }: Inventory, own: string): string {
  const known = [...packages, runtime, ...libraries];
  return [
    "queuectl is one file that holds the work of many. Their licences are:\n",
    `  queuectl: MIT\n${known.map(line).join("")}`,
    "The runtime is built of Rust crates. Those whose names stand in it are listed at",
    `the end; Cargo.lock of Deno ${runtime.version} names all of them. The licence of each`,
    "is with its sources at https://crates.io/crates/NAME.\n",
    section("queuectl", own),
    ...known.map((component) =>
      section(
        title(component),
        component.licenseText ??
          `Its package carries no text of the licence, only its name: ${component.license ?? "none"}.\n`,
      )
    ),
    section("Rust crates in the runtime", crates.map((crate) => `${title(crate)}\n`).join("")),
  ].join("\n");
}

function title({ name, version }: Component): string {
  return version === undefined ? name : `${name} ${version}`;
}

function line(component: Component): string {
  return `  ${title(component)}: ${component.license ?? "not stated"}\n`;
}

function section(name: string, text: string): string {
  return `${RULE}\n${name}\n${RULE}\n\n${text.trimEnd()}\n`;
}
