/** `@std/yaml`, from the npm copy of the standard library. @module */
// @ts-types="./yaml.d.ts"
export { parse } from "deno-std/yaml/mod.js";
