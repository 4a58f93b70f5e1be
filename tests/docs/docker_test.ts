/**
 * The image of docs/docker.md, without Docker: its build stage in a copy of
 * this checkout, its second stage in a pid namespace, by root also in a root
 * filesystem of its own.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { codeBlock, codeBlocks, yamlBlock } from "../support/recipes.ts";
import { waitFor } from "../support/wait_for.ts";

const CHECKOUT = new URL("../../", import.meta.url).pathname;

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of each stage. */
function stages(): Instruction[][] {
  const lines = codeBlock("docker", "dockerfile").replaceAll("\\\n", " ").split("\n").filter((line) => line !== "");
  const instructions = lines.map((line) => {
    const [, name = "", value = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return { name, value };
  });
  const starts = instructions.flatMap(({ name }, i) => name === "FROM" ? [i] : []);
  return starts.map((start, n) => instructions.slice(start, starts[n + 1]));
}

const valuesOf = (stage: readonly Instruction[], name: string) =>
  stage.filter((instruction) => instruction.name === name).map(({ value }) => value);

const oneOf = (stage: readonly Instruction[], name: string) => {
  const [value, ...others] = valuesOf(stage, name);
  assert(value !== undefined && others.length === 0, `${name} is not there once`);
  return value;
};

Deno.test("the build stage of the Dockerfile makes the binary in a clone", async () => {
  await using box = await poolBox();
  const [build = []] = stages();
  assertEquals(oneOf(build, "COPY"), ". .");
  const clone = `${box.directory}/src`;
  await Deno.mkdir(clone);
  const copy = `git -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory "$0"`;
  await box.ok(["-c", copy, clone], { program: "/bin/sh", cwd: CHECKOUT });

  // What the machine has fetched already need not be fetched again.
  const env = Object.fromEntries(
    ["DENO_DIR", "QUEUECTL_DEV_CACHE", "DENORT_BIN"].map((name) => [name, Deno.env.get(name)]),
  );
  for (const line of valuesOf(build, "RUN")) {
    await box.ok(["-c", line], { program: "/bin/sh", cwd: clone, env });
  }

  const [, run = []] = stages();
  const [from, to] = oneOf(run, "COPY").replace("--from=build ", "").split(" ");
  assertEquals([from, to], ["/src/dist/queuectl", "/usr/local/bin/queuectl"]);
  assertMatch(await box.ok(["version"], { program: `${clone}/dist/queuectl` }), /\d/);
});

Deno.test("the container reaps what jobs leave, and ends in order at TERM", async () => {
  await using box = await poolBox();
  const container = await startContainer(box);
  const enqueued = await container.queuectl("enqueue", "--id", "orphaning", "(sleep 0.2 &) ; id -u");
  assertEquals(enqueued, "orphaning");
  await container.queuectl("wait", "orphaning");
  const uid = await container.queuectl("output", "--stdout", "orphaning");
  assertEquals(uid, Deno.uid() === 0 ? "10001" : "0");
  // The process that the job left behind ends as a child of PID 1, which must not keep it as a zombie.
  await waitFor(() => container.zombies().length === 0 && container.namesOf().includes("queuectl"), "no zombies");

  await container.queuectl("enqueue", "--id", "long", "touch /tmp/started; sleep 1; echo done");
  await waitFor(
    async () => JSON.parse(await container.queuectl("--json", "show", "long")).state === "processing",
    "the job to run",
  );
  Deno.kill(container.pid, "SIGTERM");

  assertEquals((await container.unshare.wait()).code, 0);
  assertMatch(container.unshare.stderr(), /worker stopped|supervisor ended how=stopped/);
});

/** Namespaces, root filesystem, RUN lines; then ENTRYPOINT and CMD as PID 1. Arguments: place, binary, program. */
const CONTAINER = `set -eu
place=$1 binary=$2; shift 2
mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
cp "$binary" "$place/queuectl"
cd "$place/root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs tmp
cp "$place/queuectl" usr/local/bin/queuectl
chroot . /bin/sh -e -c "$RUN_LINES"
exec chroot --userspec=queuectl:queuectl . "$@"
`;

async function startContainer(box: PoolBox) {
  const [, stage = []] = stages();
  const isRoot = Deno.uid() === 0;
  const command = [...JSON.parse(oneOf(stage, "ENTRYPOINT")), ...JSON.parse(oneOf(stage, "CMD"))] as string[];
  const [variable = "", database = ""] = oneOf(stage, "ENV").split("=");
  assertEquals([variable, database], ["QUEUECTL_DB", "/data/queue.db"]);
  assertEquals([oneOf(stage, "USER"), oneOf(stage, "WORKDIR"), oneOf(stage, "VOLUME")], ["queuectl", "/data", "/data"]);

  const runLines = valuesOf(stage, "RUN");
  for (const line of runLines) await box.ok(["-n", "-c", line], { program: "/bin/sh" });
  // Packages come from the machine that runs the test.
  const env = {
    RUN_LINES: runLines.filter((line) => !line.includes("apt-get")).join("\n"),
    HOME: isRoot ? "/data" : box.home,
    QUEUECTL_DB: isRoot ? database : box.db,
    PATH: `/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin${isRoot ? "" : `:${box.directory}/bin`}`,
  };
  await Deno.mkdir(`${box.directory}/place`);
  await Deno.mkdir(`${box.directory}/bin`);
  await Deno.symlink(box.binary, `${box.directory}/bin/queuectl`);
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child"];
  const unshare = await box.start(
    isRoot
      ? [...namespaces, "/bin/sh", "-c", CONTAINER, "sh", `${box.directory}/place`, box.binary, ...command]
      : ["--user", "--map-root-user", ...namespaces, "--mount-proc", ...command],
    { program: "unshare", env },
  );
  const pid = await waitFor(() => {
    const [child] = childrenOf(unshare.pid);
    return child !== undefined && namesOf(child).includes("tini") && child;
  }, `PID 1: ${unshare.stderr()}`);

  const enter = [
    "--target",
    String(pid),
    "--mount",
    "--pid",
    ...(isRoot ? ["--root"] : ["--user", "--preserve-credentials"]),
  ];
  const asUser = isRoot ? ["setpriv", "--reuid=queuectl", "--regid=queuectl", "--clear-groups"] : [];
  const queuectl = (...args: string[]) =>
    box.ok([...enter, "env", "--chdir=/", ...asUser, "queuectl", ...args], { program: "nsenter", env });
  await waitFor(
    async () => {
      const workers = JSON.parse(await queuectl("--json", "worker", "status").catch(() => "[]"));
      return workers.filter(({ state }: { state: string }) => state === "running").length === 2;
    },
    `two workers in the container: ${unshare.stderr()}`,
  );
  return {
    pid,
    unshare,
    queuectl,
    zombies: () => childrenOf(pid).filter((child) => / \(.*\) Z /.test(read(`/proc/${child}/stat`))),
    namesOf: () => childrenOf(pid).flatMap(namesOf),
  };
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(" ").filter((word) => word !== "").map(Number);
}

function namesOf(pid: number): string[] {
  return [read(`/proc/${pid}/comm`).trim()];
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    // It has ended.
    return "";
  }
}

Deno.test("the compose file gives the workers more time to stop than their settings need", () => {
  const { services: { workers }, volumes } = yamlBlock("docker", "yaml compose.yaml");

  const { QUEUECTL_SHUTDOWN_TIMEOUT, QUEUECTL_KILL_GRACE } = workers.environment;
  assertEquals([QUEUECTL_SHUTDOWN_TIMEOUT, QUEUECTL_KILL_GRACE, workers.stop_grace_period], ["45s", "10s", "1m"]);
  assertEquals([workers.volumes, Object.keys(volumes)], [["queue:/data"], ["queue"]]);
});

Deno.test("the commands that are typed into the container are commands of queuectl", async () => {
  await using box = await poolBox();
  const { text = "" } = codeBlocks("docker").find(({ info }) => info === "console") ?? {};
  const commands = [...text.matchAll(/^\$ docker compose exec workers queuectl (.*)$/gm)].map(([, args = ""]) => args);
  assertEquals(commands.length, 2);

  for (const args of commands) await box.ok(["-c", `"${box.binary}" ${args}`], { program: "/bin/sh" });
});
