/** graphile-worker on the PostgreSQL that the PG variables name. */
import { drive, load } from "./common.mjs";

const { Logger, makeWorkerUtils, run: runWorker } = await load("graphile-worker");
const { default: pg } = await load("pg");
const logger = new Logger(() => () => {});
let opened;
const utils = async () => opened ??= await makeWorkerUtils({ pgPool: new pg.Pool({ max: 2 }), logger });
const start = (slots, run) =>
  runWorker({
    pgPool: new pg.Pool({ max: slots + 2 }),
    logger,
    concurrency: slots,
    noHandleSignals: true,
    taskList: { run: (payload) => run(payload.command) },
  });

await drive({
  async setup() {
    await (await utils()).migrate();
    await (await utils()).withPgClient((client) => client.query("truncate graphile_worker._private_jobs"));
  },
  add: async (command) => (await utils()).addJob("run", { command }),
  addMany: async (jobs) => (await utils()).addJobs(jobs.map((payload) => ({ identifier: "run", payload }))),
  async drain(slots, run, ended) {
    const runner = await start(slots, run);
    runner.events.on("job:complete", ended);
  },
  work: async (slots, run) => void await start(slots, run),
});
