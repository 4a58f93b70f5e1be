/** YAML, from the npm copy of the standard library: for the tests of recipes, so deno.json does not map it. @module */
// @ts-types="./yaml.d.ts"
export { parse } from "deno-std/yaml/mod.js";
