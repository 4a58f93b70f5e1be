/** What `deno task release` makes: the same each time, with a true list of what is inside. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { HOST_TARGET, isTarget } from "../../tools/compile/target.ts";
import { findRuntime } from "../../tools/compile/runtime.ts";
import { buildTwiceAlike } from "../../tools/release.ts";
import { takeInventory } from "../../tools/compile/inventory.ts";
import { presentNotices } from "../../tools/notices.ts";
import { releasedInstaller } from "../../tools/release/installer.ts";
import { tempDirectory } from "../support/temp_store.ts";
import { makeRelease, ROOT } from "./_machine.ts";

Deno.test("two builds of the same sources are the same, byte for byte", async () => {
  await using temp = await tempDirectory();
  assert(isTarget(HOST_TARGET));
  const { path } = await findRuntime(HOST_TARGET);

  // Throws when no two are.
  await buildTwiceAlike({ output: `${temp.path}/queuectl`, target: HOST_TARGET, runtime: path });

  assert((await Deno.stat(`${temp.path}/queuectl`)).size > 50_000_000);
});

Deno.test("two releases of the same program are the same, and their sums are right", async () => {
  await using temp = await tempDirectory();
  const [one, two] = [`${temp.path}/one`, `${temp.path}/two`];

  await makeRelease(one);
  await makeRelease(two);

  const sums = await Deno.readTextFile(`${one}/v0.1.0/SHA256SUMS`);
  assertEquals(await Deno.readTextFile(`${two}/v0.1.0/SHA256SUMS`), sums);
  const names = [...Deno.readDirSync(`${one}/v0.1.0`)].map(({ name }) => name).sort();
  assertEquals(names, [...sums.matchAll(/^\S+ {2}(.+)$/gm)].map(([, name = ""]) => name).concat("SHA256SUMS").sort());
  const check = await new Deno.Command("sha256sum", { args: ["-c", "--quiet", "SHA256SUMS"], cwd: `${one}/v0.1.0` })
    .output();
  assertEquals(check.code, 0);
  assertEquals(await Deno.readTextFile(`${one}/install.sh`), await Deno.readTextFile(`${one}/v0.1.0/install.sh`));
  for (const name of names.filter((name) => /^queuectl-.*-gnu(?:\.|$)/.test(name))) {
    assertStringIncludes(await Deno.readTextFile(`${one}/install.sh`), `  ${name}`);
  }

  await checkSbom(`${one}/v0.1.0/sbom.cdx.json`);
  await checkNotices(`${one}/v0.1.0/THIRD_PARTY_NOTICES`);
});

interface Sbom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { "bom-ref": string; components: { name: string; hashes: { content: string }[] }[] } };
  components: { "bom-ref": string; name: string; version?: string; purl: string; licenses?: unknown[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

async function checkSbom(path: string): Promise<void> {
  const sbom: Sbom = JSON.parse(await Deno.readTextFile(path));
  const refs = [sbom.metadata.component["bom-ref"], ...sbom.components.map((component) => component["bom-ref"])];
  const version = (name: string) => sbom.components.find((component) => component.name === name)?.version;

  assertEquals([sbom.bomFormat, sbom.specVersion], ["CycloneDX", "1.6"]);
  assertEquals(new Set(refs).size, refs.length, "references are unique");
  for (const { ref, dependsOn } of sbom.dependencies) {
    for (const name of [ref, ...dependsOn]) assert(refs.includes(name), `${name} is no component`);
  }
  using database = new DatabaseSync(":memory:");
  assertEquals(version("sqlite"), database.prepare("select sqlite_version() as v").get()!.v);
  assertEquals(version("deno"), Deno.version.deno);
  assert(Deno.version.v8.startsWith(version("v8")!));
  // Found in the runtime itself; their number changes with its version.
  const crates = sbom.components.filter(({ purl }) => purl.startsWith("pkg:cargo/"));
  assert(crates.length > 100, `only ${crates.length} crates`);
  assert(crates.some(({ name }) => name === "tokio"));
}

async function checkNotices(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  for (const part of ["the Deno authors", "V8", "UNICODE LICENSE V3", "May you do good and not evil", "tokio 1."]) {
    assertStringIncludes(text, part);
  }
  assertStringIncludes(text, (await Deno.readTextFile(join(ROOT, "LICENSE"))).trimEnd());
}

Deno.test("THIRD_PARTY_NOTICES names what is inside the programs of today", async () => {
  assertEquals(
    await Deno.readTextFile(join(ROOT, "THIRD_PARTY_NOTICES")),
    await presentNotices(),
    "run tools/deno task notices",
  );
});

Deno.test("npm packages that a program imports are in the list, with their licences", async () => {
  const { packages } = await takeInventory([], "tools/std/assert.ts");

  assertEquals(packages.map(({ purl, license }) => [purl, license]), [["pkg:npm/deno-std@1.4.0", "MIT"]]);
});

Deno.test("the copy of install.sh carries version, address and sums; what needs quoting is refused", async () => {
  const script = await Deno.readTextFile(join(ROOT, "install.sh"));
  const facts = { version: "1.2.3", baseUrl: "https://example.org/queuectl", sums: "abc  queuectl-x" };

  const released = releasedInstaller(script, facts);

  for (const line of ["RELEASE_VERSION='1.2.3'", "DEFAULT_BASE_URL='https://example.org/queuectl'"]) {
    assertStringIncludes(released, `\n${line}\n`);
  }
  assertStringIncludes(released, "\nRELEASE_SUMS='abc  queuectl-x'\n");
  assertThrows(
    () => releasedInstaller(script, { ...facts, baseUrl: "https://example.org/'; rm -rf /" }),
    Error,
    "quoting",
  );
  assertThrows(() => releasedInstaller(released, facts), Error, "should have one line");
});
