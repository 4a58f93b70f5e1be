/** What maintenance last did, for people to see. @module */

export interface MaintenanceStore {
  /** Notes what a task just did, or that it failed. */
  record(task: string, deed: MaintenanceDeed): Promise<void>;
  /** A task that failed before went well again, with nothing to do. */
  recovered(task: string): Promise<void>;
  /** By name of the task; those that never did anything are not there. */
  list(): Promise<readonly MaintenanceRecord[]>;
}

/** What was done, by name, and why not, if it failed. */
export interface MaintenanceDeed {
  readonly counts: Readonly<Record<string, number>>;
  readonly error: string | null;
}

export interface MaintenanceRecord extends MaintenanceDeed {
  readonly task: string;
  readonly at: number;
}
