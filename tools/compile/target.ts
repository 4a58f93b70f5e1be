/** The machines queuectl is compiled for. @module */

export const TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] as const;
export type Target = typeof TARGETS[number];

/** What this machine is; not always one of {@linkcode TARGETS}. */
export const HOST_TARGET: string = Deno.build.target;

export function isTarget(text: string): text is Target {
  return (TARGETS as readonly string[]).includes(text);
}
