/** `@std/fmt/bytes`, from the npm copy of the standard library. @module */
// @ts-types="./fmt_bytes.d.ts"
export * from "deno-std/fmt/bytes.js";
