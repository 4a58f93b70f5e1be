/** Settings: key and canonical text. @module */
import { assertEquals } from "@std/assert";
import type { DescribeCase } from "./store_conformance.ts";

export function settings(test: DescribeCase): void {
  test("a new store has no settings", async ({ store }) => {
    assertEquals(await store.settings.all(), new Map());
  });

  test("a setting that was set is there for everyone", async ({ store, open }) => {
    await store.settings.set("max_retries", "5");
    await store.settings.set("shell", "/bin/bash -o 'pipefail' ü");

    const other = await open();
    assertEquals(
      new Map([...await other.settings.all()].sort()),
      new Map([["max_retries", "5"], ["shell", "/bin/bash -o 'pipefail' ü"]]),
    );
  });

  test("setting a setting again replaces its value", async ({ store }) => {
    await store.settings.set("lease", "30s");
    await store.settings.set("lease", "1m");

    assertEquals(await store.settings.all(), new Map([["lease", "1m"]]));
  });

  test("unset() removes a setting and says whether there was one", async ({ store }) => {
    await store.settings.set("lease", "30s");

    assertEquals(await store.settings.unset("lease"), true);
    assertEquals(await store.settings.unset("lease"), false);
    assertEquals(await store.settings.all(), new Map());
  });
}
