/** The only door to the stores. @module */
export { careOf, openStore, type OpenStoreOptions } from "./open_store.ts";
export type * from "./store.ts";
export type * from "./maintenance_store.ts";
export type * from "./pool_store.ts";
export type * from "./care.ts";
