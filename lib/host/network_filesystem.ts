/**
 * Whether a folder lives on another machine. Locks there prove nothing: they may
 * be kept by this host alone, and others see them or not.
 * @module
 */

/** Also what hands a folder of a host to its virtual machines: locks do not reach the other side. */
const NETWORK_TYPES: ReadonlySet<string> = new Set(
  ("nfs nfs4 cifs smb3 smbfs ncpfs 9p virtiofs ceph glusterfs lustre gpfs beegfs afs coda ocfs2 gfs2 orangefs pvfs2 " +
    "fuse.sshfs fuse.glusterfs fuse.s3fs fuse.rclone fuse.cephfs fuse.juicefs fuse.davfs davfs vboxsf fuse.vmhgfs-fuse")
    .split(" "),
);

/** False where the system does not tell. */
export function isOnNetwork(path: string): boolean {
  try {
    return NETWORK_TYPES.has(typeOf(Deno.realPathSync(path), Deno.readTextFileSync("/proc/self/mountinfo")));
  } catch {
    return false; // not Linux, or gone
  }
}

/**
 * The type of the filesystem that an absolute path is on, by lines such as
 * `36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/root rw`. Of several at one place the last hides the others.
 */
export function typeOf(path: string, mountInfo: string): string {
  let best = { point: "", type: "" };
  for (const line of mountInfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = unescaped(before.split(" ")[4] ?? "");
    const isAbove = point === "/" || path === point || path.startsWith(`${point}/`);
    if (point !== "" && isAbove && point.length >= best.point.length) best = { point, type: after.split(" ")[0] ?? "" };
  }
  return best.type;
}

/** Spaces and the like are written as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}
