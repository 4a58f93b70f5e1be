/** `@std/path`, from the npm copy of the standard library. @module */
// @ts-types="./path.d.ts"
export * from "deno-std/path/mod.js";
