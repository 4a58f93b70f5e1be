/**
 * What lists of jobs can be sorted by. In a file of its own because the command
 * table, which every start reads, needs nothing else of what a list is.
 * @module
 */
export const JOB_SORT_FIELDS = ["seq", "priority", "created_at", "updated_at", "run_at", "duration"] as const;

export type JobSortField = typeof JOB_SORT_FIELDS[number];
