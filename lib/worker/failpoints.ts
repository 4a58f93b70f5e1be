/**
 * Named places where a test stops a worker. Here nothing happens, and the
 * packed program holds no trace of them. Only `compile --failpoints` puts
 * tools/compile/failpoints.ts in the place of this module.
 * @module
 */
export type Failpoint = "after-claim" | "before-spawn" | "after-spawn" | "before-result" | "after-result";

export function failpoint(_name: Failpoint): void {}
