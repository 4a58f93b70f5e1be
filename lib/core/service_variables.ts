/** The environment by which a service manager talks with the process that it started. @module */

/** Meant for that one process: neither workers nor jobs get them. */
export const SERVICE_VARIABLES = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] as const;
