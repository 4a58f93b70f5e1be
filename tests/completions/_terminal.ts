/**
 * A real shell in a real terminal: tmux on a socket of its own, to which keys
 * are sent and whose screen is read.
 *
 * Nothing here waits for a time: `shows` reads the screen until it is as it
 * should be, and gives up only after half a minute, with the screen.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

export interface TerminalOptions {
  /** The shell with its arguments. */
  readonly command: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** With what the line begins when the shell waits for a command. */
  readonly prompt: string;
}

/** Ten times what a busy machine needs. */
const GIVE_UP_MS = 30_000;
const INTERVAL_MS = 40;

export class Terminal implements AsyncDisposable {
  readonly #options: TerminalOptions;

  private constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Starts the shell, and waits for its first prompt. */
  static async open(options: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal(options);
    const { command, directory } = options;
    await terminal.#tmux("new-session", "-d", "-x", "80", "-y", "30", "-c", directory, "--", ...command);
    await terminal.shows((screen) => screen.at(-1)?.trimEnd() === options.prompt.trimEnd());
    return terminal;
  }

  /** Types a command and waits until it has ended. What it printed is gone. */
  async enter(line: string): Promise<void> {
    const prompt = this.#options.prompt.trimEnd();
    await this.#type(`${line}; clear`);
    await this.#tmux("send-keys", "Enter");
    await this.shows((screen) => screen.length === 1 && screen[0] === prompt);
  }

  /** On an empty screen, types the text and then presses Tab, once or more. */
  async tab(text: string, times = 1): Promise<void> {
    // No Ctrl-C: a signal could overtake the keys, and take away what is typed after it.
    await this.#tmux("send-keys", "C-u");
    await this.enter("true");
    await this.#type(text);
    await this.#tmux("send-keys", ...Array.from({ length: times }, () => "Tab"));
  }

  /** Presses keys, by the names that tmux has for them. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  /** The lines of the screen down to the last one with text, without spaces at their ends. */
  async screen(): Promise<string[]> {
    const text = await this.#tmux("capture-pane", "-p");
    return text.trimEnd().split("\n").map((line) => line.trimEnd());
  }

  /** Waits until the screen is as wanted, and gives it. */
  async shows(isWanted: (screen: readonly string[]) => boolean): Promise<readonly string[]> {
    const deadline = Date.now() + GIVE_UP_MS;
    while (true) {
      const screen = await this.screen();
      if (isWanted(screen)) return screen;
      if (Date.now() > deadline) {
        throw new Error(`The screen never met ${isWanted}:\n${screen.map((line) => `  | ${line}`).join("\n")}`);
      }
      await delay(INTERVAL_MS);
    }
  }

  /** Long lines are wrapped on the screen. */
  async #type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", "--", text);
    await this.shows((screen) => screen.join("").includes(text.trimEnd()));
  }

  async #tmux(...args: string[]): Promise<string> {
    const { directory, env } = this.#options;
    const { success, stdout, stderr } = await new Deno.Command("tmux", {
      args: ["-L", "queuectl", "-f", "/dev/null", ...args],
      clearEnv: true,
      env: { ...env, TMUX_TMPDIR: directory, TERM: "xterm" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    if (!success) throw new Error(`tmux ${args.join(" ")} failed: ${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pid = Number(await this.#tmux("display-message", "-p", "#{pid}"));
    await this.#tmux("kill-server");
    while (isAlive(pid)) await delay(INTERVAL_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false; // It has ended.
  }
}
