/**
 * The recipes of `docs/`: their code blocks, by what follows the fence
 * (```` ```sh runit ````), made fit for a sandbox.
 * @module
 */
import { parse } from "../../tools/std/yaml.ts";
import type { Sandbox } from "./binary.ts";

export interface CodeBlock {
  /** `sh`, `yaml compose.yaml`: all that stands behind the fence. */
  readonly info: string;
  readonly text: string;
}

export const PAGES: readonly string[] = [...Deno.readDirSync(new URL("../../docs/", import.meta.url))]
  .filter(({ isFile, name }) => isFile && name.endsWith(".md")).map(({ name }) => name.slice(0, -3)).sort();

export function codeBlocks(page: string): CodeBlock[] {
  const text = Deno.readTextFileSync(new URL(`../../docs/${page}.md`, import.meta.url));
  return [...text.matchAll(/^```(\S.*)\n([^]*?)^```$/gm)].map(([, info = "", text = ""]) => ({ info, text }));
}

/** The only block with this info. */
export function codeBlock(page: string, info: string): string {
  const found = codeBlocks(page).filter((block) => block.info === info);
  if (found.length !== 1) throw new Error(`docs/${page}.md has ${found.length} blocks "${info}"`);
  return found[0]!.text;
}

// deno-lint-ignore no-explicit-any -- a test says by its assertions what it expects there
export function yamlBlock(page: string, info: string): any {
  return parse(codeBlock(page, info));
}

/** Puts the sandbox's program and database in the place of those that a recipe names. */
export function inSandbox(text: string, box: Sandbox): string {
  return text.replaceAll("/usr/local/bin/queuectl", box.binary).replaceAll("/var/lib/queuectl/queue.db", box.db);
}

/** A folder for PATH with small programs in place of those of a real machine. */
export async function fakePrograms(box: Sandbox, programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = `${box.directory}/fake-bin`;
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    await Deno.writeTextFile(`${folder}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}
