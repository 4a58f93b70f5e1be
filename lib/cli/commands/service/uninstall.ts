/** `queuectl service uninstall`: stops the service and removes its unit; the database stays. @module */
import { ConflictError, NotFoundError, quotedPath } from "../../../core/errors.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { text } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { isManagerRunning, systemctl } from "../../service/systemctl.ts";
import { readUnit, removeUnit, unitFolder } from "../../service/unit_file.ts";
import { scopeOf, unitName } from "../../service/unit_options.ts";
import { installTarget } from "../../service/unit_text.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const scope = scopeOf(input);
  const name = unitName(input);
  const path = `${unitFolder(context, input, scope)}/${name}`;
  const found = readUnit(path);
  if (found.kind === "missing") throw new NotFoundError(`No unit ${quotedPath(path)}`);
  if (found.kind === "foreign") {
    throw new ConflictError(`Cannot remove ${quotedPath(path)}: queuectl did not write it`);
  }

  const isRunning = text(input, "dir") === undefined && await isManagerRunning(scope);
  if (isRunning) {
    context.note(`Stopping ${name}; running jobs finish first`);
    await systemctl(scope, "disable", "--now", name);
  }
  removeUnit(path, installTarget(scope));
  if (isRunning) await systemctl(scope, "daemon-reload");

  if (isJsonFormat(context)) printJson(context, { name, scope, path, systemd: isRunning });
  else context.print(`Removed ${path}`);
}
