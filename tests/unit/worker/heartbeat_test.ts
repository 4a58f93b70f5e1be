/** The heartbeat of a worker. @module */
import { assertEquals } from "@std/assert";
import { textLogger } from "../../../lib/log/logger.ts";
import { startHeartbeat } from "../../../lib/worker/heartbeat.ts";
import { tempStore } from "../../support/temp_store.ts";

/** Longer than the interval: the next beat would be due while one waits for the store. */
const SLOW_MS = 20;
const INTERVAL_MS = 5;

Deno.test("beats that are asked for while one waits for the store follow it, and none is left at the end", async () => {
  await using temp = await tempStore();
  const { workers } = temp.store;
  let [underWay, most, done] = [0, 0, 0];
  const enough = Promise.withResolvers<void>();
  const beat = async () => {
    most = Math.max(most, ++underWay);
    heartbeat.beatSoon();
    await new Promise((goOn) => setTimeout(goOn, SLOW_MS));
    underWay--;
    if (++done === 4) enough.resolve();
    return true;
  };

  const heartbeat = startHeartbeat({
    store: { ...temp.store, workers: { ...workers, beat } },
    workerId: "w1",
    log: textLogger({ write() {}, level: () => "error", now: () => 0 }),
    intervalMs: () => INTERVAL_MS,
    describe: () => ({ state: "running", done: 0, failed: 0, rss_bytes: 0, trouble: null }),
    onBeat: () => Promise.resolve(),
    onLost() {},
  });
  await enough.promise;
  await heartbeat.stop();

  assertEquals({ most, underWay }, { most: 1, underWay: 0 });
});
