import { assertEquals } from "@std/assert";
import { checkAfterBoot } from "../../../lib/maintenance/check_after_boot.ts";
import type { MaintenanceContext } from "../../../lib/maintenance/task.ts";
import { readBootCheck } from "../../../lib/operations/boot_check.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { type TempStore, tempStore } from "../../support/temp_store.ts";

function contextOf(temp: TempStore, clock: FakeClock, lines: string[] = []): MaintenanceContext {
  const say = (phrase: string) => void lines.push(phrase);
  Deno.mkdirSync(`${temp.store.folder}/run`, { recursive: true });
  return {
    store: temp.store,
    clock,
    log: { debug: say, info: say, warn: say, error: say },
    settings: () => {
      throw new Error("no setting matters here");
    },
  };
}

Deno.test("the store is checked once after each start of the host, and not by a worker that is new", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const context = contextOf(temp, clock);
  let checks = 0;
  const check = () => Promise.resolve(void checks++);
  const first = checkAfterBoot({ bootId: "one", check });

  await first.runOnce(context);
  clock.advance(29_999);
  await first.runOnce(context);
  assertEquals(checks, 0);
  clock.advance(1);
  await first.runOnce(context);
  await first.runOnce(context);
  await checkAfterBoot({ bootId: "one", check, afterMs: 0 }).runOnce(context);
  assertEquals(checks, 1);
  await checkAfterBoot({ bootId: "two", check, afterMs: 0 }).runOnce(context);
  assertEquals(checks, 2);
  assertEquals(readBootCheck(temp.store.folder), { boot_id: "two", checked_at: clock.now(), damage: null });
});

Deno.test("damage is logged and kept for those who ask", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const lines: string[] = [];
  const check = () => Promise.resolve("page 7 is never used");

  await checkAfterBoot({ bootId: "one", check, afterMs: 0 }).runOnce(contextOf(temp, clock, lines));

  assertEquals(readBootCheck(temp.store.folder)?.damage, "page 7 is never used");
  assertEquals(lines, ["database damaged"]);
});

Deno.test("a check that was broken off is not taken for one", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const stopping = new AbortController();
  const check = () => {
    stopping.abort();
    return Promise.resolve(undefined);
  };

  await checkAfterBoot({ bootId: "one", check, afterMs: 0 })
    .runOnce({ ...contextOf(temp, clock), signal: stopping.signal });

  assertEquals(readBootCheck(temp.store.folder), undefined);
});

Deno.test("where the system does not tell one start from the next, nothing is checked", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const check = () => Promise.reject(new Error("it was"));

  assertEquals(await checkAfterBoot({ bootId: "", check, afterMs: 0 }).runOnce(contextOf(temp, clock)), {});
});
