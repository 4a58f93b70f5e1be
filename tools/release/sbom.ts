/**
 * The bill of materials, as CycloneDX 1.6. No random number and no time of day
 * is in it: the same commit gives the same file.
 * @module
 */
import type { Component, Inventory } from "../compile/inventory.ts";

export interface BuildFacts {
  version: string;
  /** Undefined outside a repository. */
  commit: string | undefined;
  /** Time of the commit, RFC 3339. */
  time: string | undefined;
  runtimeOrigin: string;
  /** Of the released programs, by file name. */
  sha256: Readonly<Record<string, string>>;
}

export function sbom(inventory: Inventory, facts: BuildFacts): string {
  const { packages, runtime, libraries, crates } = inventory;
  const inRuntime = [...libraries, ...crates];
  const self = `pkg:generic/queuectl@${facts.version}`;
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      ...(facts.time === undefined ? {} : { timestamp: facts.time }),
      component: {
        type: "application",
        "bom-ref": self,
        name: "queuectl",
        version: facts.version,
        purl: self,
        licenses: [{ license: { id: "MIT" } }],
        components: Object.entries(facts.sha256).map(([name, content]) => ({
          type: "file",
          "bom-ref": `file:${name}`,
          name,
          hashes: [{ alg: "SHA-256", content }],
        })),
      },
      properties: [
        ...(facts.commit === undefined ? [] : [{ name: "queuectl:commit", value: facts.commit }]),
        { name: "queuectl:runtime-origin", value: facts.runtimeOrigin },
      ],
    },
    components: [
      ...packages.map((component) => entry("library", component)),
      entry("platform", runtime),
      ...inRuntime.map((component) => entry("library", component)),
    ],
    dependencies: [
      { ref: self, dependsOn: [...packages, runtime].map(({ purl }) => purl) },
      { ref: runtime.purl, dependsOn: inRuntime.map(({ purl }) => purl) },
    ],
    // The runtime names only those crates from which an error message may come.
    compositions: [
      { aggregate: "complete", dependencies: [self] },
      { aggregate: "incomplete", dependencies: [runtime.purl] },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry(type: string, { name, version, purl, license, description }: Component) {
  return {
    type,
    "bom-ref": purl,
    name,
    ...(version === undefined ? {} : { version }),
    description,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    purl,
  };
}

/** An expression such as `(MIT OR Apache-2.0)` has a field of its own. */
function licenseOf(license: string) {
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } };
}
