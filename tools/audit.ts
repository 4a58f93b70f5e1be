/**
 * Asks the npm registry for known vulnerabilities of the packages in deno.lock:
 * `tools/deno task audit`.
 *
 * Exit code 0: every package was checked and none is known to be vulnerable.
 * 1: at least one is. 75: it could not be checked, because nobody answered or the
 * registry has no list of vulnerabilities, as most mirrors have none.
 *
 * `npm audit` asks, because it knows the registry, the proxy and the login of
 * this machine. It reads a lock of its own kind, which is made from ours.
 * @module
 */
import { join, resolve } from "node:path";
import { readArguments } from "./arguments.ts";

const LOCK = resolve(import.meta.dirname!, "../deno.lock");

/** As `EX_TEMPFAIL` of sysexits.h: try again later. */
export const NOT_CHECKED = 75;

/** For a registry that takes the question and does not answer. */
const TIMEOUT_S = 30;

const USAGE = `Usage: tools/deno task audit [--lock FILE]

  --lock FILE   default: deno.lock`;

interface Package {
  readonly name: string;
  readonly version: string;
}

/** What deno.lock has of interest here. */
interface Lock {
  readonly npm?: Readonly<Record<string, unknown>>;
  readonly jsr?: Readonly<Record<string, unknown>>;
}

/** `@scope/name@1.2.3_peer@4.5.6` -> its name and version; what follows `_` are the peers it was resolved with. */
export function packageFrom(key: string): Package {
  const match = /^(@?[^@]+)@([^_]+)/.exec(key);
  if (match === null) throw new Error(`Cannot read deno.lock: "${key}" is no package with a version`);
  return { name: match[1]!, version: match[2]! };
}

/** A package.json and its package-lock.json. Each package has an alias, so that two versions of one can be there. */
export function npmProject(packages: readonly Package[]): { readonly manifest: unknown; readonly lock: unknown } {
  const dependencies = Object.fromEntries(
    packages.map(({ name, version }, i) => [`package-${i}`, `npm:${name}@${version}`]),
  );
  const root = { name: "audited", version: "0.0.0", dependencies };
  const places = packages.map((each, i) => [`node_modules/package-${i}`, each] as const);
  return {
    manifest: { ...root, private: true },
    lock: { ...root, lockfileVersion: 3, requires: true, packages: { "": root, ...Object.fromEntries(places) } },
  };
}

/** What `npm audit --json` said. */
export type Answer =
  | { readonly kind: "clean" }
  | { readonly kind: "vulnerable"; readonly findings: readonly string[] }
  | { readonly kind: "silent"; readonly reason: string };

interface Finding {
  readonly name: string;
  readonly severity: string;
  /** Advisories; a text names another package through which this one is vulnerable. */
  readonly via: readonly (string | { readonly title?: string; readonly url?: string })[];
}

export function readAnswer(stdout: string, stderr: string): Answer {
  let report: { vulnerabilities?: Record<string, Finding>; message?: string; error?: { summary?: string } };
  try {
    report = JSON.parse(stdout);
  } catch {
    return { kind: "silent", reason: lastLine(stderr) ?? "npm audit said nothing" };
  }
  if (report.vulnerabilities === undefined) {
    return { kind: "silent", reason: report.message || report.error?.summary || "npm audit gave no report" };
  }
  const findings = Object.values(report.vulnerabilities).map(({ name, severity, via }) => {
    const advisories = via.map((each) => typeof each === "string" ? each : `${each.title} ${each.url ?? ""}`.trim());
    return `${name}: ${severity}: ${advisories.join("; ")}`;
  });
  return findings.length === 0 ? { kind: "clean" } : { kind: "vulnerable", findings };
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").findLast((line) => line.trim() !== "")?.trim();
}

async function askNpm(packages: readonly Package[]): Promise<Answer> {
  const folder = await Deno.makeTempDir({ prefix: "queuectl-audit-" });
  try {
    const { manifest, lock } = npmProject(packages);
    await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(manifest));
    await Deno.writeTextFile(join(folder, "package-lock.json"), JSON.stringify(lock));
    const { stdout, stderr } = await new Deno.Command("npm", {
      args: [
        ...["audit", "--json", "--package-lock-only", "--no-update-notifier"],
        ...["--fetch-retries=0", `--fetch-timeout=${TIMEOUT_S * 1_000}`],
      ],
      cwd: folder,
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return readAnswer(decoder.decode(stdout), decoder.decode(stderr));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "silent", reason: "npm is not installed" };
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function main(args: readonly string[]): Promise<number> {
  const { switches, values } = readArguments(args, { switches: ["help"], values: ["lock"] });
  if (switches.help) {
    console.log(USAGE);
    return 0;
  }
  const lock: Lock = JSON.parse(await Deno.readTextFile(values.lock ?? LOCK));
  const packages = Object.keys(lock.npm ?? {}).map(packageFrom);
  const names = packages.map(({ name, version }) => `${name} ${version}`).join(", ");
  // The registry of npm knows nothing of these.
  const others = Object.keys(lock.jsr ?? {});

  const answer: Answer = packages.length === 0 ? { kind: "clean" } : await askNpm(packages);
  if (answer.kind === "vulnerable") {
    console.log(`Known vulnerabilities:\n${answer.findings.map((finding) => `  ${finding}`).join("\n")}`);
    return 1;
  }
  if (answer.kind === "silent") {
    console.log(`not checked for known vulnerabilities: ${names}: ${answer.reason}`);
    return NOT_CHECKED;
  }
  if (others.length > 0) {
    console.log(`not checked for known vulnerabilities: ${others.join(", ")}: they are not from npm`);
    return NOT_CHECKED;
  }
  console.log(`${packages.length} packages, none with a known vulnerability${names === "" ? "" : ` (${names})`}`);
  return 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    console.error(`audit: ${error instanceof Error ? error.message : error}`);
    Deno.exit(2);
  }
}
