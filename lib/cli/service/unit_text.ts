/**
 * The systemd unit of one pool, as text.
 *
 * The unit says in comments why each setting is there, because administrators
 * read the unit and not this file.
 * @module
 */
import type { PoolOptions } from "../../core/pool.ts";
import { TRUST_VARIABLE } from "../../host/trust.ts";
import { selfCommand } from "../../worker/spawn_self.ts";
import { wrap } from "../output/wrap.ts";
import { systemdCommand, systemdWord } from "./systemd_words.ts";

export type Scope = "system" | "user";

export interface UnitOptions {
  readonly scope: Scope;
  readonly pool: string;
  readonly asked: Partial<PoolOptions>;
  /** Path of the database, absolute. */
  readonly db: string;
  /** Whether the user vouches for the owner of the database. */
  readonly isTrusted: boolean;
  /** Whose jobs these are; only in scope `system`. */
  readonly user: string;
  /** Settings of the database, in milliseconds. */
  readonly shutdownTimeoutMs: number;
  readonly killGraceMs: number;
  readonly version: string;
}

/** From the last KILL of a job to the end of the supervisor: results are stored, locks are released. */
const STOP_MARGIN_S = 5;

export function unitText(options: UnitOptions): string {
  const { scope, pool, db, isTrusted, user } = options;
  const flags = poolFlags(options);
  return [
    "[Unit]",
    `Description=queuectl workers, pool ${pool}`,
    ...(scope === "system" ? systemOrder(db) : []),
    ...comment("A database that is locked, or a disk that is full, may heal: try again for ever."),
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    ...comment(
      "Started when all workers are registered. Started again when the supervisor hangs: no turn of its loop in this time.",
    ),
    "Type=notify",
    "NotifyAccess=main",
    "TimeoutStartSec=5min",
    "WatchdogSec=3min",
    "WatchdogSignal=SIGKILL",
    ...(scope === "system"
      ? [...comment("User= also gives jobs HOME, USER and SHELL, for root too."), `User=${user}`]
      : []),
    `Environment=${systemdWord(`QUEUECTL_DB=${db}`)}`,
    ...(isTrusted ? [`Environment=${systemdWord(`${TRUST_VARIABLE}=${db}`)}`] : []),
    `ExecStart=${systemdCommand(selfCommand(["worker", "start", "--foreground", ...flags]))}`,
    ...comment("Replaces the workers one by one, without a gap: after an upgrade of queuectl."),
    `ExecReload=${systemdCommand(selfCommand(["worker", "restart", "--pool", pool]))}`,
    ...comment(
      "After a crash. Not after `queuectl worker stop`, and not for options that make no sense (exit code 2).",
    ),
    "Restart=on-failure",
    "RestartSec=5s",
    "RestartPreventExitStatus=2",
    ...comment(
      "TERM reaches the supervisor alone: it lets running jobs finish. KILL reaches every process of the unit.",
    ),
    "KillMode=mixed",
    ...stopLimit(options),
    ...comment("A job that the kernel kills for its memory must not stop the others."),
    "OOMPolicy=continue",
    ...(scope === "system" ? hardening(user) : []),
    "",
    "[Install]",
    `WantedBy=${installTarget(scope)}`,
    "",
  ].join("\n");
}

/** A terminal of 80 columns shows it without breaking lines. */
const COMMENT_WIDTH = 78;

function comment(text: string): string[] {
  return wrap(text, COMMENT_WIDTH).map((line) => `# ${line}`);
}

export function installTarget(scope: Scope): string {
  return scope === "system" ? "multi-user.target" : "default.target";
}

function poolFlags({ pool, asked: { count = 1, concurrency, queues } }: UnitOptions): string[] {
  return [
    ...["--pool", pool, "--count", String(count)],
    ...(concurrency == null ? [] : ["--concurrency", String(concurrency)]),
    ...(queues == null ? [] : ["--queue", queues.join(",")]),
  ];
}

function systemOrder(db: string): string[] {
  const folder = db.slice(0, db.lastIndexOf("/")) || "/";
  return [
    "After=network.target remote-fs.target nss-user-lookup.target time-sync.target",
    `RequiresMountsFor=${systemdWord(folder)}`,
  ];
}

function stopLimit({ shutdownTimeoutMs, killGraceMs }: UnitOptions): string[] {
  if (shutdownTimeoutMs === 0) {
    return [
      ...comment(
        "No limit, because the setting shutdown_timeout is 0: stopping waits as long as the jobs take. " +
          "`queuectl config set shutdown_timeout 5m` limits it; then run `queuectl service install` again.",
      ),
      "TimeoutStopSec=infinity",
    ];
  }
  const seconds = Math.ceil((shutdownTimeoutMs + killGraceMs) / 1_000) + STOP_MARGIN_S;
  return [
    ...comment(
      `shutdown_timeout + kill_grace + ${STOP_MARGIN_S} s. After a change of these settings run ` +
        "`queuectl service install` again.",
    ),
    `TimeoutStopSec=${seconds}s`,
  ];
}

/**
 * Only what no ordinary job needs. Jobs call sudo, mount filesystems, upgrade
 * packages, run containers: most of systemd's hardening would break one of these.
 */
function hardening(user: string): string[] {
  return [
    ...comment("Hardening that leaves jobs alone: they neither load kernel modules nor reboot without systemd."),
    "CapabilityBoundingSet=~CAP_SYS_MODULE CAP_SYS_BOOT",
    "KeyringMode=private",
    ...(user === "root" ? ["LockPersonality=yes", "RestrictRealtime=yes"] : []),
    ...comment(
      "Left out on purpose: sudo and ping in a job need privileges, so no NoNewPrivileges, and for users other than " +
        "root nothing that implies it (LockPersonality, RestrictRealtime, SystemCallFilter and many more).",
    ),
    ...comment(
      "Jobs work on the files, mounts and devices of the host, so no ProtectSystem, ProtectHome, PrivateTmp, " +
        "PrivateDevices, ProtectClock (it denies other devices, too), ProtectControlGroups, RestrictSUIDSGID.",
    ),
    ...comment("Where the jobs are known, add these by: systemctl edit."),
  ];
}
