/**
 * pg-boss on the PostgreSQL that the PG variables name; NOTIFY=1 wakes workers
 * by LISTEN and NOTIFY instead of polling alone.
 *
 * Throughput is measured by fetch() and complete(): work() waits for its
 * polling interval after each job that it fetched alone.
 */
import process from "node:process";
import { drive, load } from "./common.mjs";

const { PgBoss } = await load("pg-boss");
const notify = process.env.NOTIFY === "1";
const QUEUE = "compare";
const isWorker = process.argv[2] === "work";
const boss = new PgBoss({
  host: process.env.PGHOST,
  user: process.env.PGUSER,
  database: process.env.PGDATABASE,
  supervise: isWorker,
  schedule: isWorker,
  ...notify ? { useListenNotify: true } : {},
});
boss.on("error", (error) => console.error(String(error)));
await boss.start();

await drive({
  async setup() {
    await boss.deleteQueue(QUEUE).catch(() => {});
    await boss.createQueue(QUEUE, notify ? { notify: true } : {});
  },
  add: (command) => boss.send(QUEUE, { command }),
  addMany: (jobs) => boss.insert(QUEUE, jobs.map((data) => ({ data }))),
  drain(slots, run, ended) {
    const slot = async () => {
      for (let [job] = await boss.fetch(QUEUE); job !== undefined; [job] = await boss.fetch(QUEUE)) {
        await run(job.data.command);
        await boss.complete(QUEUE, job.id);
        ended();
      }
    };
    for (let i = 0; i < slots; i++) void slot();
  },
  work: (slots, run) => boss.work(QUEUE, { localConcurrency: slots }, ([job]) => run(job.data.command)),
});
