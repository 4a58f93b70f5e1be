/** On which filesystem a path is. @module */
import { assertEquals } from "@std/assert";
import { isOnNetwork, typeOf } from "../../../lib/host/network_filesystem.ts";
import { tempDirectory } from "../../support/temp_store.ts";

const MOUNTS = `
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:25 / /srv rw - nfs4 files:/srv rw
31 30 8:17 / /srv/local\\040disk rw,noatime - xfs /dev/sdb1 rw
32 22 8:18 / /srv2 rw - ext4 /dev/sdc1 rw
33 22 0:99 / /data rw - ext4 /dev/sdd1 rw
34 22 0:99 / /data rw - 9p share rw
`.trim();

Deno.test("the longest mount point above a path decides, and of two at one place the later", () => {
  const types = ["/var/q.db.d", "/srv/q", "/srv/local disk/q", "/srv2/q", "/srv", "/data/q"];

  assertEquals(types.map((path) => typeOf(path, MOUNTS)), ["ext4", "nfs4", "xfs", "ext4", "nfs4", "9p"]);
});

Deno.test("a temporary directory is not on the network, and neither is what does not exist", async () => {
  await using temp = await tempDirectory();

  assertEquals([isOnNetwork(temp.path), isOnNetwork(`${temp.path}/nothing`)], [false, false]);
});
