/** Links at the names of files that queuectl makes: what they lead to stays as it is. @module */
import { assert, assertEquals } from "@std/assert";
import { sandbox } from "../support/binary.ts";

/** Every name that a worker, a pool or a job makes in `<db>.d`, beside the ones that are random. */
const NAMES = [
  ...["out", "err", "in", "out.cut", "out.cut.new", "out.new", "err.cut", "out.fifo", "err.fifo"].flatMap((ending) =>
    [1, 2, 3].map((seq) => `logs/${seq}-1.${ending}`)
  ),
  ...["default", "run"].map((pool) => `logs/worker-${pool}.log`),
  ...["run/boot-check.json", "run/wake/w", "run/pools/wake", "run/pool-default.lock"],
  `run/supervisor-default@${Deno.hostname()}.lock`,
];

const PRECIOUS = "precious\n";

Deno.test("a link at any name that queuectl makes leads nobody to write, cut or change what it points to", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "output_limit", "64KiB"]);
  for (const folder of ["logs", "run/wake", "run/pools"]) {
    await Deno.mkdir(`${box.db}.d/${folder}`, { recursive: true, mode: 0o700 });
  }
  await Deno.mkdir(`${box.directory}/victims`);
  const victims = await Promise.all(NAMES.map(async (name, i) => {
    const path = `${box.directory}/victims/${i}`;
    await Deno.writeTextFile(path, PRECIOUS);
    await Deno.chmod(path, 0o644);
    await Deno.symlink(path, `${box.db}.d/${name}`);
    return { name, path };
  }));
  const noisy = "head -c 300000 /dev/zero | tr '\\0' x; echo bad >&2";
  await box.ok(["enqueue", "--max-retries", "0", "--stdin", "OVERWRITTEN", "cat"]);
  await box.ok(["enqueue", "--max-retries", "0", noisy]);
  await box.run(["worker", "run", "--drain"]);
  await box.ok(["config", "set", "redact", "secret"]);
  await box.ok(["enqueue", "--max-retries", "0", noisy]);
  await box.run(["worker", "run", "--drain"]);
  for (
    const command of [["output", "--help"], ["doctor"], ["worker", "start"], ["worker", "stop", "--timeout", "5s"]]
  ) {
    await box.run(command);
  }
  await box.killAll();

  for (const { name, path } of victims) {
    const { mode } = await Deno.stat(path);
    assertEquals([name, await Deno.readTextFile(path), mode! & 0o777], [name, PRECIOUS, 0o644]);
  }
  const jobs = await box.json<{ state: string; reason: string | null }[]>(["list"]);
  assert(jobs.every(({ state }) => state === "dead"), JSON.stringify(jobs));
});
