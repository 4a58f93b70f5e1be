/** BullMQ on the Redis of REDIS_SOCKET. */
import process from "node:process";
import { drive, load } from "./common.mjs";

const { Queue, Worker } = await load("bullmq");
const connection = { path: process.env.REDIS_SOCKET, maxRetriesPerRequest: null };
const NAME = "compare";
let opened;
const queue = () => opened ??= new Queue(NAME, { connection });

await drive({
  setup: () => queue().obliterate({ force: true }),
  add: (command) => queue().add("run", { command }),
  addMany: (jobs) => queue().addBulk(jobs.map((data) => ({ name: "run", data }))),
  drain(slots, run, ended) {
    const worker = new Worker(NAME, (job) => run(job.data.command), { connection, concurrency: slots });
    worker.on("completed", ended);
    return worker.waitUntilReady();
  },
  async work(slots, run) {
    const worker = new Worker(NAME, (job) => run(job.data.command), { connection, concurrency: slots });
    await worker.waitUntilReady();
  },
});
