/**
 * Environment variables, files and exit codes, as help, manual pages and the
 * reference show them. A test compares the variables with the sources.
 * @module
 */

/** A name and one sentence on it, without a period. */
export type Entry = readonly [name: string, meaning: string];

/** Variables that queuectl reads. */
export const READ_VARIABLES: readonly Entry[] = [
  ["QUEUECTL_DB", "Path or URL of the database; `--db` comes first"],
  ["QUEUECTL_TRUST_OWNER", "Path of the one database that is used although others may write it"],
  [
    "QUEUECTL_<SETTING>",
    "Value of a setting, such as QUEUECTL_MAX_RETRIES; comes before the value that `config set` stored",
  ],
  ["NO_COLOR", "Any value but the empty one turns colour off"],
  ["TERM", "The value dumb turns colour off"],
  ["XDG_DATA_HOME", "Folder for the database, manual pages and completions of a user, instead of ~/.local/share"],
  ["XDG_CONFIG_HOME", "Folder for the units of systemd and the completions of fish, instead of ~/.config"],
  ["HOME", "Home directory for what `install` commands write; for the database where /etc/passwd lacks the user"],
  ["BASH_COMPLETION_USER_DIR", "Folder for the completions of bash, as bash-completion reads it"],
  ["ZDOTDIR", "Folder of .zshrc, instead of the home directory"],
  [
    "NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID",
    "Set by systemd for `worker start --foreground`: readiness and watchdog",
  ],
  ["CREDENTIALS_DIRECTORY", "Set by systemd: a secret that is in no variable is read from the file of its name there"],
  ["TMPDIR", "Folder for temporary files, instead of /tmp"],
];

/** Variables that every job gets. */
export const JOB_VARIABLES: readonly Entry[] = [
  ["QUEUECTL_DB", "Path or URL of the database, without a password"],
  ["QUEUECTL_STORE", "Identity of the database; a copy of it has another one"],
  ["QUEUECTL_JOB_ID", "Id of the job"],
  ["QUEUECTL_RUN", "Number of this run over the whole life of the job, from 1"],
  ["QUEUECTL_ATTEMPT", "Number of this attempt, from 1; a retry by a person starts again at 1"],
  ["QUEUECTL_MAX_RETRIES", "How many failed attempts are retried"],
  ["QUEUECTL_QUEUE", "Name of the queue"],
  ["QUEUECTL_CLAIM", "Number that grows with every run of the job; serves as a fencing token"],
  ["QUEUECTL_SCHEDULED_AT", "When the job was enqueued, RFC 3339 in UTC"],
];

/** Where the database is. */
export const DATABASE_PLACES: readonly Entry[] = [
  ["/var/lib/queuectl/queue.db", "Database of root"],
  ["~/.local/share/queuectl/queue.db", "Database of any other user; $XDG_DATA_HOME takes the place of ~/.local/share"],
];

/** What lies beside a database, here called DB. */
export const DATABASE_FILES: readonly Entry[] = [
  ["DB-wal, DB-shm", "Log and index of SQLite, while the database is in use; never delete or copy them by hand"],
  ["DB.d/logs/", "Output that is too large for the database, and the logs of background workers"],
  ["DB.d/run/", "Locks of workers and supervisors, and the file that wakes idle workers"],
  ["DB.d/backups/", "Copies made before a change of the schema; the newest three are kept"],
  ["DB.d/.stop_workers", "While this file exists, workers stop and no job is started"],
  ["DB.replaced-TIME", "What `restore` set aside, with its log"],
];

/** What every command may exit with; a spec adds what is special about it. */
export const USUAL_EXIT_CODES: Readonly<Record<number, string>> = {
  0: "ok",
  1: "the operation failed",
  2: "the command line makes no sense",
  3: "no such job, queue, ...",
  4: "conflict, or the state does not allow it",
  5: "the store is unavailable",
};
