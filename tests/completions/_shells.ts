/**
 * Asks real shells what they would offer. The scripts come from the compiled
 * binary, which is also the `queuectl` on the PATH of the shell.
 * @module
 */
const here = import.meta.dirname ?? ".";

export interface Offer {
  readonly word: string;
  readonly summary: string;
}

/** A folder with `queuectl` in it and a home of its own, where completion lines are tried. */
export class CompletionShell implements AsyncDisposable {
  readonly #directory: string;
  readonly #shell: "bash" | "zsh" | "fish";

  private constructor(shell: "bash" | "zsh" | "fish", directory: string) {
    this.#shell = shell;
    this.#directory = directory;
  }

  static async open(shell: "bash" | "zsh" | "fish"): Promise<CompletionShell> {
    const binary = Deno.env.get("QUEUECTL_BIN");
    if (binary === undefined) throw new Error("QUEUECTL_BIN must name the compiled binary");
    const directory = await Deno.makeTempDir({ prefix: "queuectl-completion-" });
    await Deno.mkdir(`${directory}/bin`);
    await Deno.symlink(await Deno.realPath(binary), `${directory}/bin/queuectl`);
    const opened = new CompletionShell(shell, directory);
    await Deno.writeTextFile(opened.script, await opened.run("queuectl", "completions", shell));
    return opened;
  }

  /** The completion script, as the binary prints it. */
  get script(): string {
    return `${this.#directory}/completion.${this.#shell}`;
  }

  /** Database that commands and completions use unless the line says another. */
  get database(): string {
    return `${this.#directory}/queue.db`;
  }

  get directory(): string {
    return this.#directory;
  }

  /** Runs a program with the shell's surroundings and gives its stdout. */
  async run(program: string, ...args: string[]): Promise<string> {
    const path = program === "queuectl" ? `${this.#directory}/bin/queuectl` : program;
    const { success, stdout, stderr } = await new Deno.Command(path, {
      args,
      cwd: this.#directory,
      clearEnv: true,
      env: {
        PATH: `${this.#directory}/bin:/usr/local/bin:/usr/bin:/bin`,
        HOME: this.#directory,
        TMPDIR: this.#directory,
        TERM: "xterm",
        LC_ALL: "C.UTF-8",
        QUEUECTL_DB: this.database,
      },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    if (!success) throw new Error(`${program} ${args.join(" ")} failed: ${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  }

  /** What the shell offers when Tab is pressed at the end of the line. */
  async offers(line: string): Promise<Offer[]> {
    const output = await this.#ask(line);
    return output.split("\n").filter((found) => found !== "").map((found) => {
      const [word = "", summary = ""] = found.split("\t");
      return { word: word.trimEnd(), summary };
    });
  }

  /** The words alone, sorted, each once. */
  async words(line: string): Promise<string[]> {
    return [...new Set((await this.offers(line)).map((offer) => offer.word))].sort();
  }

  #ask(line: string): Promise<string> {
    switch (this.#shell) {
      case "bash":
        return this.run("bash", "--norc", "-c", BASH_ASK, "bash", this.script, line, ...bashWords(line));
      case "zsh":
        return this.run("zsh", "-f", `${here}/capture.zsh`, this.script, line);
      case "fish":
        return this.run("fish", "--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, this.script, line);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#directory, { recursive: true });
  }
}

/** Does by hand what readline does when Tab is pressed. */
const BASH_ASK = `
source "$1"
COMP_LINE=$2 COMP_POINT=\${#2}
shift 2
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_queuectl queuectl "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"
true
`;

/** readline splits words at spaces, and makes words of = and : as well. */
function bashWords(line: string): string[] {
  return line.split(/\s+/).flatMap((word) => word === "" ? [""] : word.split(/([=:]+)/).filter((part) => part !== ""));
}
