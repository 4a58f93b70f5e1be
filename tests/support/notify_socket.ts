/**
 * A service manager's end of the notification socket: collects the datagrams
 * that a service sends. By calls of the C library, because the runtime has no
 * Unix datagrams.
 * @module
 */
import { waitFor } from "./wait_for.ts";

const SYMBOLS = {
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  bind: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;

export interface NotifySocket extends Disposable {
  /** The value of NOTIFY_SOCKET. */
  readonly address: string;
  /** Every message so far. */
  messages(): readonly string[];
  /** Waits until so many messages begin with `start`. */
  until(start: string, count?: number): Promise<void>;
}

/** `address`: a path, or `@name` for an abstract socket. */
export function notifySocket(address: string): NotifySocket {
  const library = Deno.dlopen("libc.so.6", SYMBOLS);
  const { symbols } = library;
  const path = new TextEncoder().encode(address.startsWith("@") ? `\0${address.slice(1)}` : `${address}\0`);
  const name = new Uint8Array(2 + path.length);
  new Uint16Array(name.buffer, 0, 1)[0] = AF_UNIX;
  name.set(path, 2);
  const fd = symbols.socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd < 0 || symbols.bind(fd, name, name.length) !== 0) throw new Error(`Cannot listen at ${address}`);

  const received: string[] = [];
  const buffer = new Uint8Array(4_096);
  const messages = () => {
    while (true) {
      const length = Number(symbols.recv(fd, buffer, BigInt(buffer.length), MSG_DONTWAIT));
      if (length < 0) return received;
      received.push(new TextDecoder().decode(buffer.subarray(0, length)));
    }
  };
  return {
    address,
    messages,
    until: async (start, count = 1) =>
      void await waitFor(
        () => messages().filter((message) => message.startsWith(start)).length >= count,
        `${count} messages ${start}: ${received.join(" ")}`,
      ),
    [Symbol.dispose]() {
      symbols.close(fd);
      library.close();
    },
  };
}
