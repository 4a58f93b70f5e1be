/** `queuectl service install`: writes the systemd unit, and starts it with --now. @module */
import { ConflictError, QueuectlError, quoted } from "../../../core/errors.ts";
import { selfCommand } from "../../../worker/spawn_self.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn, text } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { userNamed } from "../../service/os_user.ts";
import { closedFolder } from "../../service/reachable.ts";
import { isManagerRunning, systemctl, systemctlLine } from "../../service/systemctl.ts";
import { isPoolInBackground, unitName, unitOptions } from "../../service/unit_options.ts";
import { readUnit, refuseForeign, signedUnit, unitFolder, writeUnit } from "../../service/unit_file.ts";
import { type Scope, type UnitOptions, unitText } from "../../service/unit_text.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = unitName(input);
  const options = await unitOptions(context, input);
  const { scope, user, pool, db } = options;
  const isStarted = isOn(input, "now");
  const isInTheWay = await isPoolInBackground(context, options);
  if (isStarted && isInTheWay) {
    throw new ConflictError(`Cannot start ${name}: pool ${quoted(pool)} runs in the background`, {
      hint: `queuectl worker stop --pool ${pool}`,
    });
  }
  const path = `${unitFolder(context, input, scope)}/${name}`;
  const isReplaced = writeIfNew(path, signedUnit(unitText(options), options.version), isOn(input, "replace"));
  warnOfClosedFolders(context, options);
  if (isInTheWay) context.warn(`pool ${pool} runs in the background: stop it before the service starts`);

  // With --dir it is made for another root, whose manager is not the one that runs here.
  const isElsewhere = text(input, "dir") !== undefined;
  const isRunning = !isElsewhere && await isManagerRunning(scope);
  if (isRunning && isReplaced !== "unchanged") await systemctl(scope, "daemon-reload");
  if (isStarted && !isRunning) throw notStarted(name, path, scope);
  if (isStarted) {
    context.note(`Starting ${name}`);
    await systemctl(scope, "enable", "--now", name);
  }
  if (isJsonFormat(context)) {
    printJson(context, {
      name,
      scope,
      user,
      pool,
      db,
      path,
      result: isReplaced,
      systemd: isRunning,
      started: isStarted,
    });
    return;
  }
  context.print(`${SAID[isReplaced]} ${path}`);
  for (
    const line of nextSteps({
      name,
      options,
      isMissing: !isRunning && !isElsewhere,
      isStarted,
      isReplaced: isReplaced === "replaced",
    })
  ) {
    context.note(line);
  }
}

type Result = "written" | "replaced" | "unchanged";

const SAID: Readonly<Record<Result, string>> = { written: "Wrote", replaced: "Replaced", unchanged: "Unchanged:" };

function writeIfNew(path: string, unit: string, mayReplace: boolean): Result {
  const found = readUnit(path);
  if (found.kind === "ours" && found.text === unit) return "unchanged";
  if (!mayReplace) refuseForeign(path, found);
  writeUnit(path, unit);
  return found.kind === "missing" ? "written" : "replaced";
}

/** Such as a program in /root/.local/bin that another user is to run. */
function warnOfClosedFolders(context: Context, { user }: UnitOptions): void {
  const [program] = selfCommand([]);
  const uid = user === "root" ? 0 : userNamed(user)?.uid;
  if (uid === undefined || uid === 0) return;
  const folder = closedFolder(program, uid);
  if (folder === undefined) return;
  context.warn(`user ${user} cannot start ${program}: the folder ${folder} is closed to others`);
}

function notStarted(name: string, path: string, scope: Scope): QueuectlError {
  const state = `systemd does not run here, or cannot be reached; the unit is in ${path}`;
  return new QueuectlError("failed", `Cannot start ${name}: ${state}`, {
    hint: scope === "user" ? "a login session of this user, or --system" : undefined,
  });
}

interface Installed {
  readonly name: string;
  readonly options: UnitOptions;
  /** There is no service manager, and one was looked for. */
  readonly isMissing: boolean;
  readonly isStarted: boolean;
  readonly isReplaced: boolean;
}

function nextSteps({ name, options: { scope, user }, isMissing, isStarted, isReplaced }: Installed): string[] {
  const lines: string[] = [];
  if (scope === "system") {
    const another = user === "root" ? "; --run-as USER makes it another user" : "";
    lines.push(`Jobs run as ${user}${another}.`);
  }
  if (isMissing) lines.push("systemd does not run here, or cannot be reached: nothing was started.");
  if (!isStarted) lines.push(`Start it now and at each boot:  ${systemctlLine(scope, "enable", "--now", name)}`);
  if (isReplaced) lines.push(`If it runs already, restart it: ${systemctlLine(scope, "restart", name)}`);
  if (scope === "user") lines.push(`Keep it without a login:        loginctl enable-linger ${user}`);
  return lines;
}
