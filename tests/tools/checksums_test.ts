/** No build uses a tool whose SHA-256 is not the one of tools/toolchain.sha256. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "node:path";
import { readyBundler } from "../../tools/compile/bundler.ts";
import { build } from "../../tools/compile/build.ts";
import { checkDeno, ChecksumError, knownSum, refuseUnchecked, UNCHECKED } from "../../tools/compile/checksums.ts";
import { findRuntime } from "../../tools/compile/runtime.ts";
import { TARGETS } from "../../tools/compile/target.ts";
import { onlyFileOf } from "../../tools/compile/zip.ts";
import { tempDirectory } from "../support/temp_store.ts";

const TARGET = TARGETS[0];

/** Sets variables until the end of the block; undefined takes one away. */
function withEnv(changes: Readonly<Record<string, string | undefined>>): Disposable {
  const before = Object.keys(changes).map((name) => [name, Deno.env.get(name)] as const);
  const set = ([name, value]: readonly [string, string | undefined]) =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  Object.entries(changes).forEach(set);
  return { [Symbol.dispose]: () => before.forEach(set) };
}

Deno.test("the list has a sum of Deno, of the runtime and of the bundler for each machine", async () => {
  for (const target of TARGETS) {
    const deno = `deno-${Deno.version.deno}-${target}`;
    for (
      const sum of [
        await knownSum(deno) ?? await knownSum(`${deno}.zip`),
        await knownSum(`denort-${Deno.version.deno}-${target}`),
        await knownSum(`esbuild-0.25.5-${target}`),
      ]
    ) assert(/^[0-9a-f]{64}$/.test(sum ?? ""), target);
  }
});

Deno.test("the Deno of the tests is the one of the list", async () => {
  await checkDeno();
});

Deno.test("a runtime named by DENORT_BIN is refused when its sum is another, unless nothing is checked", async () => {
  await using temp = await tempDirectory();
  const file = join(temp.path, "denort");
  await Deno.writeTextFile(file, "something else");
  using _ = withEnv({ DENORT_BIN: file, [UNCHECKED]: undefined });

  for (const source of ["any", "official"] as const) {
    await assertRejects(() => findRuntime(TARGET, source), ChecksumError, "its SHA-256 is");
  }

  using __ = withEnv({ [UNCHECKED]: "1" });
  assertEquals(await findRuntime(TARGET), { path: file, origin: "DENORT_BIN" });
});

Deno.test("a runtime in the cache is hashed before it is used, and fetched again when it was changed", async () => {
  await using temp = await tempDirectory();
  const kept = join(temp.path, `denort-${Deno.version.deno}-${TARGET}`);
  await Deno.writeTextFile(kept, "something else");
  // Without a PATH there is no npm, so that it cannot be fetched.
  using _ = withEnv({ QUEUECTL_DEV_CACHE: temp.path, DENORT_BIN: undefined, PATH: "/nowhere", [UNCHECKED]: undefined });

  const error = await assertRejects(() => findRuntime(TARGET, "npm"), Error, "Cannot get the Deno runtime");

  assertEquals(error.message.includes("npm (@stdy/"), true);
});

Deno.test("a bundler in Deno's folder is hashed before it is used", async () => {
  await using temp = await tempDirectory();
  const folder = join(temp.path, "dl/esbuild-0.25.5");
  await Deno.mkdir(folder, { recursive: true });
  const platform = Deno.build.arch === "x86_64" ? "x64" : "arm64";
  await Deno.writeTextFile(join(folder, `esbuild-linux-${platform}`), "something else");
  using _ = withEnv({ DENO_DIR: temp.path, [UNCHECKED]: undefined });

  await assertRejects(() => readyBundler(), ChecksumError, "its SHA-256 is");
  const output = join(temp.path, "queuectl");
  await assertRejects(() => build({ output, target: TARGET, runtime: "/nowhere" }), ChecksumError);
});

Deno.test("a release is refused while tools go unchecked", () => {
  using _ = withEnv({ [UNCHECKED]: "1" });

  assertThrows(refuseUnchecked, Error, UNCHECKED);
});

const DEFLATED =
  "UEsDBBQAAAAIAAAAIVwM6i/ODQAAAEAAAAAGAAAAZGVub3J0KyrNK8nMTVUoIpMGAFBLAQIUAxQAAAAIAAAAIVwM6i/ODQAAAEAAAAAGAAAAAAAAAAAAAACAAQAAAABkZW5vcnRQSwUGAAAAAAEAAQA0AAAAMQAAAAAA";
const STORED =
  "UEsDBBQAAAAAAAAAIVwM6i/OQAAAAEAAAAAGAAAAZGVub3J0cnVudGltZSBydW50aW1lIHJ1bnRpbWUgcnVudGltZSBydW50aW1lIHJ1bnRpbWUgcnVudGltZSBydW50aW1lIFBLAQIUAxQAAAAAAAAAIVwM6i/OQAAAAEAAAAAGAAAAAAAAAAAAAACAAQAAAABkZW5vcnRQSwUGAAAAAAEAAQA0AAAAZAAAAAAA";
const TWO_FILES =
  "UEsDBBQAAAAAAGQHdF2379yDAQAAAAEAAAABAAAAYTFQSwMEFAAAAAAAZAd0XQ2+1RoBAAAAAQAAAAEAAABiMlBLAQIUAxQAAAAAAGQHdF2379yDAQAAAAEAAAABAAAAAAAAAAAAAACAAQAAAABhUEsBAhQDFAAAAAAAZAd0XQ2+1RoBAAAAAQAAAAEAAAAAAAAAAAAAAIABIAAAAGJQSwUGAAAAAAIAAgBeAAAAQAAAAAAA";

Deno.test("the one file of a zip is found, stored or deflated; anything else is refused", () => {
  for (const archive of [DEFLATED, STORED]) {
    const content = onlyFileOf(Uint8Array.fromBase64(archive));
    assertEquals(new TextDecoder().decode(content), "runtime ".repeat(8));
  }
  for (const archive of [TWO_FILES, DEFLATED.slice(0, 40), ""]) {
    assertThrows(() => onlyFileOf(Uint8Array.fromBase64(archive)), Error, "the archive");
  }
});
