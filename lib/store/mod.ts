/** The only door to the stores. @module */
export { openStore, type OpenStoreOptions } from "./open_store.ts";
export type * from "./store.ts";
export type * from "./maintenance_store.ts";
export type * from "./pool_store.ts";
