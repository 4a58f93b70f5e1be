/** `@std/path/posix/dirname`, from the npm copy of the standard library: alone, because all of it is 30 KB. @module */
// @ts-types="./path_posix_dirname.d.ts"
export * from "deno-std/path/posix/dirname.js";
