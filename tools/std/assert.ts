/**
 * `@std/assert`, from the npm copy of the standard library.
 *
 * The shims in this folder exist because that copy has no types. To take a
 * package from JSR instead, change its line in deno.json and delete its shim.
 * @module
 */
// @ts-types="./assert.d.ts"
export * from "deno-std/assert/mod.js";
