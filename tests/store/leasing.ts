/** Duties that one process at a time holds. @module */
import { assertEquals } from "@std/assert";
import { aHolder } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function leasing(test: DescribeCase): void {
  test("a free lease goes to the first who takes it, with all that it says of itself", async ({ store, open }) => {
    const other = await open();

    assertEquals(await store.leases.get("care"), undefined);
    assertEquals(await store.leases.take("care", aHolder({ id: "one" }), undefined), true);
    assertEquals(await other.leases.take("care", aHolder({ id: "two" }), undefined), false);

    assertEquals(await other.leases.get("care"), { holder: aHolder({ id: "one" }), beat: 0 });
  });

  test("of two who saw the same dead holder one takes over", async ({ store, open }) => {
    const other = await open();
    await store.leases.take("care", aHolder({ id: "dead" }), undefined);
    const seen = await store.leases.get("care");

    assertEquals(await store.leases.take("care", aHolder({ id: "one" }), seen), true);
    assertEquals(await other.leases.take("care", aHolder({ id: "two" }), seen), false);

    assertEquals((await store.leases.get("care"))?.holder.id, "one");
  });

  test("a holder that beats again is not taken over", async ({ store }) => {
    await store.leases.take("care", aHolder({ id: "one" }), undefined);
    const seen = await store.leases.get("care");
    assertEquals(await store.leases.beat("care", "one"), true);

    assertEquals(await store.leases.take("care", aHolder({ id: "two" }), seen), false);
  });

  test("one that was taken over learns it from its next beat, and cannot release", async ({ store }) => {
    await store.leases.take("care", aHolder({ id: "one" }), undefined);
    await store.leases.take("care", aHolder({ id: "two" }), await store.leases.get("care"));

    assertEquals(await store.leases.beat("care", "one"), false);
    await store.leases.release("care", "one");
    assertEquals((await store.leases.get("care"))?.holder.id, "two");

    await store.leases.release("care", "two");
    assertEquals(await store.leases.get("care"), undefined);
  });
}
