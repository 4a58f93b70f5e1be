/** `@std/fmt/colors`, from the npm copy of the standard library. @module */
// @ts-types="./fmt_colors.d.ts"
export * from "deno-std/fmt/colors.js";
