/** SQLite keeps the contract of a store. What only a file can get wrong is in `sqlite_file_test.ts`. @module */
import { tempStore } from "../support/temp_store.ts";
import { describeStore } from "./store_conformance.ts";

describeStore("sqlite", (clock) => tempStore({ clock }));
