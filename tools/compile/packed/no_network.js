/**
 * Takes the network away from the packed program, which opens no connection.
 * That stops whatever a package inside may want to fetch or to report; it is no
 * wall against code that calls the C library. What jobs do is their own affair.
 *
 * Deno's own `--deny-net` would do, but with any permission denied Deno refuses
 * to read most of /proc, by which workers tell who is alive, and to attach a
 * database. It also lets `node:net` connect all the same.
 * @module
 */

const GLOBALS = ["fetch", "EventSource", "WebSocket"];
const OF_DENO = [
  "connect",
  "connectTls",
  "createHttpClient",
  "listen",
  "listenTls",
  "resolveDns",
  "serve",
  "serveHttp",
  "startTls",
  "upgradeWebSocket",
];
const MODULES = /^(?:node:)?(?:dgram|dns|http|http2|https|inspector|net|tls)(?:\/|$)/;

/** For this process, from now on. */
export function giveUpNetwork() {
  for (const name of GLOBALS) globalThis[name] = refusal(name);
  for (const name of OF_DENO) Deno[name] = refusal(`Deno.${name}`);
}

/** @throws when the module with this name is one of the network */
export function refuseNetworkModule(name) {
  if (MODULES.test(name)) refuse(name);
}

/** No arrow: some of them are called with `new`. */
function refusal(name) {
  return function () {
    refuse(name);
  };
}

function refuse(name) {
  throw new Error(`queuectl opens no connection: ${name} is refused`);
}
