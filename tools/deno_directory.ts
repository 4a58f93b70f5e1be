/** Where Deno keeps the modules and runtimes it has fetched. @module */
export async function denoDirectory(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stdin: "null" }).output();
  const info: { denoDir: string } = JSON.parse(new TextDecoder().decode(stdout));
  return info.denoDir;
}
