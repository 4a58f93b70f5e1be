/**
 * Messages to the service manager that started this process: systemd's
 * notification protocol, one datagram per message to the socket that
 * NOTIFY_SOCKET names (a path, or `@name` for an abstract one).
 *
 * By calls of the C library, because the runtime has no Unix datagrams. Load
 * this module only where NOTIFY_SOCKET is set.
 * @module
 */
import { ownVariable } from "./own_environment.ts";
import { SERVICE_VARIABLES } from "../core/service_variables.ts";

const SYMBOLS = {
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  sendto: { parameters: ["i32", "buffer", "usize", "i32", "buffer", "u32"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const AF_UNIX = 1;
/** SOCK_DGRAM | SOCK_CLOEXEC: workers must not inherit the socket. */
const DATAGRAM = 0o2 | 0o2000000;
/** MSG_DONTWAIT | MSG_NOSIGNAL: a manager that does not read must not stop us. */
const SEND_FLAGS = 0x40 | 0x4000;
/** `sun_path` of Linux, with the NUL byte that ends a path. */
const MAX_PATH_BYTES = 108;

export interface ServiceManager {
  /** The manager expects a sign of life at least this often; undefined: it does not watch. */
  readonly watchdogMs: number | undefined;
  /** Sends one message of `NAME=VALUE` lines. False: it did not get through; send it again later. */
  notify(message: string): boolean;
  close(): void;
}

/**
 * Connects to the manager that the environment names, and takes its variables out of the environment.
 * @throws when the address makes no sense, or this system has no such sockets.
 */
export function connectServiceManager(): ServiceManager | undefined {
  const [address, interval, watched] = SERVICE_VARIABLES.map((name) => {
    const value = ownVariable(name);
    Deno.env.delete(name);
    return value;
  });
  if (address === undefined || address === "") return undefined;
  const isWatched = watched === undefined || watched === String(Deno.pid);
  const watchdogMs = isWatched && /^[1-9]\d*$/.test(interval ?? "") ? Number(interval) / 1_000 : undefined;
  return openSocket(socketAddress(address), watchdogMs);
}

/** A `sockaddr_un`: the family in the byte order of the machine, then the path. */
function socketAddress(address: string): Uint8Array<ArrayBuffer> {
  const isAbstract = address.startsWith("@");
  const path = new TextEncoder().encode(isAbstract ? `\0${address.slice(1)}` : `${address}\0`);
  if (!isAbstract && !address.startsWith("/")) throw new Error(`expected a path or @name: ${address}`);
  if (path.length > MAX_PATH_BYTES) throw new Error(`the address is too long: ${address}`);
  const bytes = new Uint8Array(2 + path.length);
  new Uint16Array(bytes.buffer, 0, 1)[0] = AF_UNIX;
  bytes.set(path, 2);
  return bytes;
}

function openSocket(address: Uint8Array<ArrayBuffer>, watchdogMs: number | undefined): ServiceManager {
  const library = Deno.dlopen("libc.so.6", SYMBOLS);
  const { symbols } = library;
  const fd = symbols.socket(AF_UNIX, DATAGRAM, 0);
  if (fd < 0) {
    library.close();
    throw new Error("the system gives no socket");
  }
  return {
    watchdogMs,
    notify(message) {
      const bytes = new TextEncoder().encode(message);
      const sent = symbols.sendto(fd, bytes, BigInt(bytes.length), SEND_FLAGS, address, address.length);
      return Number(sent) === bytes.length;
    },
    close() {
      symbols.close(fd);
      library.close();
    },
  };
}
