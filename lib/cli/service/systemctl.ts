/**
 * Calls of `systemctl`, and whether there is a service manager to call.
 * @module
 */
import { QueuectlError } from "../../core/errors.ts";
import type { Scope } from "./unit_text.ts";

/** The command as a person would type it. */
export function systemctlLine(scope: Scope, ...args: readonly string[]): string {
  return ["systemctl", ...(scope === "user" ? ["--user"] : []), ...args].join(" ");
}

/** Whether the manager of this scope runs and can be reached. */
export async function isManagerRunning(scope: Scope): Promise<boolean> {
  const { stdout } = await call(scope, ["is-system-running"]);
  // `degraded`, `starting` and `stopping` are states of a manager that is there.
  return !["", "offline", "unknown"].includes(stdout.trim());
}

/** @throws {QueuectlError} with what it said. */
export async function systemctl(scope: Scope, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await call(scope, args);
  if (code === 0) return;
  const reason = stderr.trim().split("\n")[0] || `exit code ${code}`;
  throw new QueuectlError("failed", `${systemctlLine(scope, ...args)} failed: ${reason}`, {
    hint: args.at(-1)?.endsWith(".service") ? systemctlLine(scope, "status", args.at(-1) ?? "") : undefined,
  });
}

async function call(scope: Scope, args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { code, stdout, stderr } = await new Deno.Command("systemctl", {
      args: [...(scope === "user" ? ["--user"] : []), ...args],
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } catch (error) {
    return { code: 127, stdout: "", stderr: error instanceof Error ? error.message : String(error) };
  }
}
