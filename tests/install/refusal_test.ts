/** What install.sh refuses: each time with one clear sentence, and with nothing changed. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { smallDisk } from "../support/small_disk.ts";
import { type Ended, type Machine, machine, makeRelease, PATH, piped, serve, type ServerOptions } from "./_machine.ts";

const release = join(await Deno.makeTempDir({ prefix: "release-" }), "release");
await makeRelease(release);
await Deno.chmod(join(release, ".."), 0o755);
const SCRIPT = join(release, "install.sh");

/** Runs the released copy, and asserts that it failed and left nothing. */
async function refused(host: Machine, args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const ended = await host.run(["sh", SCRIPT, ...args], env);
  assertEquals(ended.code, 1, ended.stderr);
  assertEquals([...Deno.readDirSync(host.home)], [], "files left in the home");
  return ended;
}

function withFlippedByte(_name: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const flipped = bytes.slice();
  const middle = flipped.length >> 1;
  flipped[middle] = flipped[middle]! ^ 1;
  return flipped;
}

const BAD_SERVERS: readonly { what: string; options: ServerOptions; says: RegExp }[] = [
  {
    what: "a flipped byte",
    options: { change: (name, bytes) => name.startsWith("queuectl-") ? withFlippedByte(name, bytes) : bytes },
    says: /refusing queuectl-.*: its SHA-256 is [0-9a-f]{64} and should be [0-9a-f]{64}; nothing was changed\n/,
  },
  {
    what: "a file that is too short",
    options: { change: (name, bytes) => name.startsWith("queuectl-") ? bytes.slice(0, -1) : bytes },
    says: /refusing queuectl-.*: its SHA-256 is/,
  },
  {
    what: "a connection that breaks off",
    options: { breakAfter: 1_000_000 },
    says: /cannot download http.*queuectl-.*: see the line above; nothing was changed\n/,
  },
  {
    what: "a file that is missing",
    options: {
      change: (name, bytes) => {
        if (name.startsWith("queuectl-")) throw new Error("gone");
        return bytes;
      },
    },
    says: /cannot download http.*queuectl-/,
  },
];

for (const { what, options, says } of BAD_SERVERS) {
  Deno.test(`refuses ${what}`, async () => {
    await using server = serve(release, options);
    await using host = await machine();

    const { stderr } = await refused(host, [], { QUEUECTL_BASE_URL: server.base });

    assertMatch(stderr, says);
  });
}

Deno.test("a copy that was cut off anywhere does nothing", async () => {
  await using host = await machine();
  const size = (await Deno.stat(SCRIPT)).size;
  // A shell reads a last line without its end, so the copy that lacks only that is whole.
  const loop = `
    cut_at() { head -c "$2" "$SCRIPT" | "$1" >>"$HOME/said" 2>/dev/null; cuts=$((cuts + 1)); }
    cuts=0
    n=0; while [ $n -lt ${size - 1} ]; do cut_at dash $n; n=$((n + 100)); done
    for shell in dash bash zsh; do
      n=${size - 100}; while [ $n -lt ${size - 1} ]; do cut_at $shell $n; n=$((n + 1)); done
    done
    echo $cuts`;

  const { code, stdout } = await host.run(["sh", "-c", loop], { SCRIPT, QUEUECTL_BASE_URL: release });

  assertEquals(code, 0);
  assert(Number(stdout) > size / 100 + 290, `only ${stdout} cuts`);
  assertEquals(await Deno.readTextFile(`${host.home}/said`), "");
  assertEquals(host.filesInHome(), ["said"]);
});

const STRANGERS: readonly { what: string; stub: [string, string]; says: RegExp }[] = [
  { what: "macOS", stub: ["uname", "echo Darwin"], says: /there is no release for Darwin: .* for Linux/ },
  {
    what: "another processor",
    stub: ["uname", 'if [ "$1" = -s ]; then echo Linux; else echo riscv64; fi'],
    says: /no release for the processor riscv64: only for x86_64 and aarch64/,
  },
  {
    what: "a 32-bit system",
    stub: ["getconf", '[ "$1" = LONG_BIT ] && echo 32'],
    says: /a 32-bit system on a 64-bit processor/,
  },
  {
    what: "an old C library",
    stub: ["getconf", 'if [ "$1" = LONG_BIT ]; then echo 64; else echo glibc 2.17; fi'],
    says: /this system has glibc 2\.17: queuectl needs 2\.27 or newer/,
  },
];

for (const { what, stub: [name, script], says } of STRANGERS) {
  Deno.test(`refuses ${what}`, async () => {
    await using host = await machine();
    const path = `${await host.stub(name, script)}:${PATH}`;

    const { stderr } = await refused(host, [], { QUEUECTL_BASE_URL: release, PATH: path });

    assertMatch(stderr, says);
  });
}

Deno.test("refuses a system with musl, and names a way out", async () => {
  await using host = await machine();
  const getconf = await host.stub("getconf", '[ "$1" = LONG_BIT ] && echo 64');
  const ldd = await host.stub("ldd", "echo 'musl libc (x86_64)' >&2; exit 1");

  const { stderr } = await refused(host, [], { QUEUECTL_BASE_URL: release, PATH: `${getconf}:${ldd}:${PATH}` });

  assertMatch(stderr, /uses musl .*: queuectl needs the GNU C library, glibc 2\.27 or newer\nTry: a container/);
});

Deno.test("refuses to work without knowing where the releases are", async () => {
  await using host = await machine();

  const { stderr } = await refused(host, [], {});

  assertStringIncludes(stderr, "QUEUECTL_BASE_URL must say it");
});

Deno.test("refuses plain http to another host when the sums would come the same way", async () => {
  await using host = await machine();
  const env = { QUEUECTL_BASE_URL: "http://localhost.example" };

  const { stderr } = await refused(host, ["--version", "9.9.9"], env);

  assertStringIncludes(stderr, "over plain http the sums themselves could be forged");
});

Deno.test("refuses a folder that cannot be written to", async () => {
  await using host = await machine();
  const closed = `${host.directory}/closed`;
  await Deno.mkdir(closed);
  await Deno.chmod(closed, 0o555);

  const { stderr } = await refused(host, ["--dir", `${closed}/bin`], { QUEUECTL_BASE_URL: release });

  assertStringIncludes(stderr, `cannot write to ${closed}/bin; nothing was changed\nTry: sh install.sh --dir FOLDER`);
  assertEquals([...Deno.readDirSync(closed)], []);
});

Deno.test("leaves nothing on a disk that is full", async () => {
  await using disk = await smallDisk("60m");
  await using host = await machine();
  await Deno.chmod(disk.path, 0o777);
  await Deno.chmod(join(disk.path, ".."), 0o755);

  const { stderr } = await refused(host, ["--dir", `${disk.path}/bin`], { QUEUECTL_BASE_URL: release });

  assertMatch(stderr, /is the disk full\? Nothing was changed\n/);
  assertEquals([...Deno.readDirSync(disk.path)], []);
});

Deno.test("leaves another program of the same name alone, and a folder", async () => {
  await using host = await machine();
  await Deno.mkdir(`${host.directory}/bin/queuectl`, { recursive: true });
  const other = await host.stub("queuectl", "echo some other queue");
  const env = { QUEUECTL_BASE_URL: release };

  const overFolder = await refused(host, ["--dir", `${host.directory}/bin`], env);
  const overProgram = await refused(host, ["--dir", other], env);
  const removal = await refused(host, ["--dir", other, "--uninstall"], env);

  assertStringIncludes(overFolder.stderr, "is a folder: it is left alone");
  for (const { stderr } of [overProgram, removal]) assertStringIncludes(stderr, "is another program, or a broken one");
  assertStringIncludes(await Deno.readTextFile(`${other}/queuectl`), "some other queue");
});

Deno.test("--system is for root, and says how", async () => {
  await using host = await machine();

  const { stderr } = await refused(host, ["--system"], { QUEUECTL_BASE_URL: release });

  assertStringIncludes(stderr, "\nTry: sudo sh install.sh --system\n");
});

Deno.test("mistakes in the options end with 2", async () => {
  await using host = await machine();

  for (const args of [["--dri"], ["--dir"], ["--purge-data"], ["--version", "../../etc"]]) {
    const { code, stderr } = await host.run(["sh", SCRIPT, ...args], { QUEUECTL_BASE_URL: release });

    assertEquals(code, 2, `${args}: ${stderr}`);
    assertMatch(stderr, /^install\.sh: .+\nTry: sh install\.sh --help\n$/);
  }
});

Deno.test("nothing is installed when the server is not there", async () => {
  await using host = await machine();

  const { code, stdout } = await host.run(piped("http://127.0.0.1:1", ["sh"]), {
    QUEUECTL_BASE_URL: "http://127.0.0.1:1",
  });

  assertEquals([code, stdout], [0, ""]);
  assertEquals([...Deno.readDirSync(host.home)], []);
});
