import { assertEquals } from "@std/assert";
import { completionPath, type Shell } from "../../../lib/cli/completions/places.ts";

const HOME = { HOME: "/home/ann" };

for (
  const { shell, env, path } of [
    { shell: "bash", env: HOME, path: "/home/ann/.local/share/bash-completion/completions/queuectl" },
    { shell: "bash", env: { ...HOME, XDG_DATA_HOME: "/d" }, path: "/d/bash-completion/completions/queuectl" },
    { shell: "bash", env: { ...HOME, BASH_COMPLETION_USER_DIR: "/b:/c" }, path: "/b/completions/queuectl" },
    {
      shell: "zsh",
      env: { ...HOME, XDG_DATA_HOME: "relative" },
      path: "/home/ann/.local/share/zsh/site-functions/_queuectl",
    },
    { shell: "fish", env: HOME, path: "/home/ann/.config/fish/completions/queuectl.fish" },
    { shell: "fish", env: { ...HOME, XDG_CONFIG_HOME: "/c" }, path: "/c/fish/completions/queuectl.fish" },
  ] as const
) {
  const said = Object.entries(env).map(([name, value]) => `${name}=${value}`).join(" ");
  Deno.test(`${shell} of a user with ${said} reads ${path}`, () => {
    const variables: Readonly<Record<string, string>> = env;

    assertEquals(completionPath(shell, { kind: "user" }, (name) => variables[name]), path);
  });
}

Deno.test("for all users, completions go where the administrator's files are", () => {
  const paths = (["bash", "zsh", "fish"] satisfies Shell[]).map((shell) =>
    completionPath(shell, { kind: "system" }, () => undefined)
  );

  assertEquals(paths, [
    "/usr/local/share/bash-completion/completions/queuectl",
    "/usr/local/share/zsh/site-functions/_queuectl",
    "/etc/fish/completions/queuectl.fish",
  ]);
});
