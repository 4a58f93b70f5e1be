/** The recipes of docs/monitoring.md. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { poolBox } from "../support/pool_box.ts";
import { parsePrometheus } from "../support/prometheus.ts";
import { codeBlock, codeBlocks, fakePrograms, inSandbox, yamlBlock } from "../support/recipes.ts";

const collector = () => codeBlock("monitoring", "sh queuectl-metrics");

Deno.test("the collector writes a file that Prometheus reads, for everybody and in one piece", async () => {
  await using box = await poolBox();
  await box.ok(["enqueue", "true"]);
  const folder = `${box.directory}/text files`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${box.directory}/queuectl-metrics`, inSandbox(collector(), box), { mode: 0o755 });
  const collect = () => box.run([folder], { program: `${box.directory}/queuectl-metrics` });

  assertEquals((await collect()).code, 0);
  const path = `${folder}/queuectl.prom`;
  const families = parsePrometheus(await Deno.readTextFile(path));
  const pending = families.get("queuectl_jobs")?.samples.find(({ labels }) => labels.state === "pending");
  assertEquals(pending?.value, 1);
  assertEquals((await Deno.stat(path)).mode! & 0o777, 0o644);

  // The file stays as it was when the database cannot be read.
  const before = await Deno.readTextFile(path);
  await Deno.writeTextFile(box.db, "this is no database");
  await Deno.remove(`${box.db}-wal`).catch(() => {});
  assertEquals((await collect()).code, 5);
  assertEquals(await Deno.readTextFile(path), before);
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["queuectl.prom"]);
});

Deno.test("the collector is clean under dash and starts from cron's line", async () => {
  await using box = await poolBox();
  await Deno.writeTextFile(`${box.directory}/queuectl-metrics`, collector(), { mode: 0o755 });
  await box.ok(["-n", `${box.directory}/queuectl-metrics`], { program: "/bin/sh" });

  assertMatch(codeBlock("monitoring", "crontab"), /^(\* ){5}root \/usr\/local\/bin\/queuectl-metrics\n$/);
});

Deno.test("systemd accepts the timer and its service", async () => {
  await using box = await poolBox();
  await Deno.writeTextFile(`${box.directory}/queuectl-metrics`, collector(), { mode: 0o755 });
  for (const name of ["queuectl-metrics.service", "queuectl-metrics.timer"]) {
    const text = codeBlock("monitoring", `ini ${name}`).replace("/usr/local/bin", box.directory);
    await Deno.writeTextFile(`${box.directory}/${name}`, text);
  }

  const { code, stdout, stderr } = await box.run(["--man=no", "verify", "./queuectl-metrics.timer"], {
    program: "systemd-analyze",
  });

  assertEquals([code, stdout, stderr], [0, "", ""]);
});

Deno.test("the alerts ask for metrics that there are, and name commands that help", async () => {
  await using box = await poolBox();
  await box.ok(["enqueue", "true"]);
  const families = parsePrometheus(await box.ok(["metrics", "--prometheus"]) + "\n");
  const { groups } = yamlBlock("monitoring", "yaml rules.yml");
  const rules = groups.flatMap(({ rules }: { rules: { alert: string; expr: string }[] }) => rules);
  assertEquals(rules.length, 4);

  for (const { alert, expr } of rules) {
    const asked = [...expr.matchAll(/\b(queuectl_\w+|node_\w+)/g)].map(([name]) => name);
    assert(asked.length > 0, alert);
    const unknown = asked.filter((name) => !families.has(name) && name !== "node_textfile_mtime_seconds");
    assertEquals(unknown, [], alert);
  }
});

Deno.test("the JSON of metrics has what the page takes from it", async () => {
  await using box = await poolBox();
  await box.ok(["enqueue", "true"]);
  const programs = await fakePrograms(box, { queuectl: `exec ${box.binary} "$@"` });
  const [command = ""] = codeBlocks("monitoring").filter(({ info }) => info === "sh").map(({ text }) => text);

  const dead = await box.ok(["-e", "-c", command], {
    program: "/bin/sh",
    env: { PATH: `${programs}:${Deno.env.get("PATH")}` },
  });

  assertEquals(dead, "0");
});
