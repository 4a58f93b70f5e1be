/** `@std/cli/parse-args`, from the npm copy of the standard library. @module */
// @ts-types="./cli_parse_args.d.ts"
export * from "deno-std/cli/parse_args.js";
