/**
 * The version of this program. It is written down once, in deno.json.
 *
 * Imported as text: with a static import as JSON, a program compiled by Deno 2.7.11
 * never writes its code cache, so that turning it on in tools/compile.ts would do nothing.
 * @module
 */
import configText from "../deno.json" with { type: "text" };

const config: { version: string } = JSON.parse(configText);

export const VERSION: string = config.version;
