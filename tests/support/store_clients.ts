/**
 * Starts processes that use one store together; see `store_client.ts`.
 * @module
 */
const SCRIPT = new URL("store_client.ts", import.meta.url).pathname;

export interface StoreClient extends AsyncDisposable {
  /** Lets it begin, or in the case of `lock` let go. */
  go(): Promise<void>;
  /** What it printed at its end. Throws with its stderr when it failed. */
  result(): Promise<unknown>;
}

export interface StartOptions {
  /** Program and arguments that start the client's own command line, such as `setpriv`. */
  readonly through?: readonly string[];
}

/** Starts a client and waits until it is ready. */
export async function startClient(args: readonly string[], options: StartOptions = {}): Promise<StoreClient> {
  const command = [
    ...(options.through ?? []),
    Deno.execPath(),
    "run",
    "--allow-all",
    "--no-prompt",
    "--no-check",
    "--quiet",
    SCRIPT,
    ...args,
  ];
  const child = new Deno.Command(command[0]!, {
    args: command.slice(1),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdin = child.stdin.getWriter();
  const stderr = new Response(child.stderr).text();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(splitLines()).getReader();
  const nextLine = async () => {
    const { value } = await lines.read();
    if (value === undefined) throw new Error(`Store client ${args.join(" ")} failed:\n${await stderr}`);
    return value;
  };
  const client: StoreClient = {
    go: () => stdin.write(new TextEncoder().encode("go\n")),
    result: async () => JSON.parse(await nextLine()),
    async [Symbol.asyncDispose]() {
      // It ends by itself when all went well; else it must not outlive the test.
      await lines.cancel();
      await stdin.close().catch(() => {});
      try {
        child.kill("SIGKILL");
      } catch {
        // Ended already.
      }
      await child.status;
      await stderr;
    },
  };
  try {
    const line = await nextLine();
    if (line !== "ready") throw new Error(`Store client ${args.join(" ")} said ${line} instead of ready`);
  } catch (error) {
    await client[Symbol.asyncDispose]();
    throw error;
  }
  return client;
}

/** Starts one client for each list of arguments, lets them begin together, and gives their results in that order. */
export async function runClients(argumentLists: readonly (readonly string[])[]): Promise<unknown[]> {
  await using clients = new AsyncDisposableStack();
  const started = await Promise.all(argumentLists.map(async (args) => clients.use(await startClient(args))));
  await Promise.all(started.map((client) => client.go()));
  return await Promise.all(started.map((client) => client.result()));
}

function splitLines(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(line);
    },
  });
}
