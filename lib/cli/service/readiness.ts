/**
 * Tells the service manager (systemd, Type=notify) how its supervisor does:
 * ready once all workers are registered, what it does now, that its loop turns,
 * and that it stops.
 * @module
 */
import type { Logger } from "../../log/logger.ts";
import { connectServiceManager, type ServiceManager } from "../../host/service_manager.ts";
import type { Turn, TurnListener } from "../../worker/supervisor.ts";
import { counted } from "../pool_options.ts";

/** Signs of life in one interval of the watchdog. systemd advises two; four leave time for a turn that takes long. */
const SIGNS_PER_INTERVAL = 4;

export interface Readiness extends TurnListener {
  close(): void;
}

/** Undefined when no service manager waits for this process, or when it cannot be reached. */
export function readiness(log: Logger, clock: { monotonic(): number }): Readiness | undefined {
  try {
    const manager = connectServiceManager();
    return manager && tellAbout(manager, clock);
  } catch (error) {
    log.warn("service manager out of reach", { reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

/** Tells `manager` about each turn, without saying the same thing twice. */
export function tellAbout(manager: ServiceManager, clock: { monotonic(): number }): Readiness {
  const everyMs = (manager.watchdogMs ?? Infinity) / SIGNS_PER_INTERVAL;
  let isReady = false;
  let isStopping = false;
  let status: string | undefined;
  let nextSign = -Infinity;
  return {
    everyMs,
    turned(turn) {
      if (turn.kind === "looked" && !isReady && !turn.isStopping && turn.working >= turn.count) {
        isReady = manager.notify("READY=1");
      }
      if (turn.kind === "looked" && turn.isStopping && !isStopping) isStopping = manager.notify("STOPPING=1");
      const text = statusOf(turn);
      if (text !== status && manager.notify(`STATUS=${text}`)) status = text;
      const now = clock.monotonic();
      if (now >= nextSign && manager.watchdogMs !== undefined && manager.notify("WATCHDOG=1")) nextSign = now + everyMs;
    },
    close: () => manager.close(),
  };
}

/** One line, as `systemctl status` shows it. */
function statusOf(turn: Turn): string {
  if (turn.kind === "failed") return `Cannot look after the workers: ${turn.reason.replaceAll(/\s+/g, " ")}`;
  const { count, working, workers, jobs, isStopping } = turn;
  const running = `${counted(jobs, "job")} running`;
  if (isStopping) return `Stopping: ${counted(workers, "worker")} left, ${running}`;
  const finishing = workers > working ? `, ${workers - working} finishing` : "";
  return `${working} of ${counted(count, "worker")}${finishing}, ${running}`;
}
