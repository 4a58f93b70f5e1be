/**
 * The script that all jobs of a mixed storm run, and the ledger that it writes.
 *
 * Each run holds an flock for its job, its lock and its key. Its children
 * inherit them, so a run that begins beside any living process of an earlier one
 * notes an overlap.
 * @module
 */

/** How a job behaves. Each kind is a function of the script. */
export const KINDS = [
  "quick",
  "slow",
  "flaky",
  "hopeless",
  "deaf",
  "deaf_child",
  "left_child",
  "left_session",
  "snoozing",
] as const;

/** Those of jobs that have children of another user. */
export const FOREIGN_KINDS = ["foreign", "foreign_left"] as const;

export type Kind = typeof KINDS[number] | typeof FOREIGN_KINDS[number];

/** What a kind needs of the options of its job. Times are short: a storm wants many runs. */
export const OPTIONS_OF: Readonly<Record<Kind, Readonly<Record<string, unknown>>>> = {
  quick: {},
  slow: {},
  flaky: { max_retries: 4 },
  hopeless: { max_retries: 1 },
  deaf: { max_retries: 1, timeout: "400ms", kill_grace: "150ms" },
  deaf_child: { max_retries: 3, timeout: "700ms", kill_grace: "150ms" },
  left_child: { max_retries: 4 },
  left_session: { max_retries: 4 },
  snoozing: { snooze_on: "75:300ms" },
  foreign: { max_retries: 6, timeout: "600ms", kill_grace: "100ms" },
  foreign_left: { max_retries: 9 },
};

export interface LedgerLine {
  readonly what: "start" | "end" | "overlap";
  readonly job: string;
  readonly run: number;
  readonly claim: number;
  /** Of an overlap: what was held. */
  readonly about: string;
}

const SCRIPT = `
# KIND LOCK KEY GATE; - for none
kind=$1 lock=$2 key=$3 gate=$4 here=\${0%/*}
note() { echo "$1 $QUEUECTL_JOB_ID $QUEUECTL_RUN $QUEUECTL_CLAIM $2" >>"$here/ledger"; }
exec 7>>"$here/held/job-$QUEUECTL_JOB_ID"; flock -n 7 || note overlap job
if [ "$lock" != - ]; then exec 8>>"$here/held/lock-$lock"; flock -n 8 || note overlap "lock-$lock"; fi
if [ "$key" != - ]; then exec 9>>"$here/held/key-$key"; flock -n 9 || note overlap "key-$key"; fi
[ "$gate" = - ] || [ -e "$here/$gate" ] || note overlap "closed-gate-$gate"
note start -
done_with() { note end "$1"; exit "$1"; }
is_first() { [ "$QUEUECTL_ATTEMPT" -lt 2 ]; }
quick() { sleep 0.05; }
slow() { sleep 1.5; sleep 1; }
flaky() { sleep 0.1; is_first && done_with 1; }
hopeless() { sleep 0.05; done_with 1; }
deaf() { trap '' TERM; sleep 20; }
deaf_child() { if is_first; then (trap '' TERM; sleep 20; sleep 20) & wait; fi; }
left_child() { if is_first; then sleep 3 & done_with 1; fi; sleep 3 & }
left_session() { setsid sleep 4 & sleep 0.2; if is_first; then done_with 1; fi; }
snoozing() { [ "$QUEUECTL_RUN" -ge 2 ] || done_with 75; }
foreign() { if is_first; then AS_ROOT sleep 2; fi; }
foreign_left() { if is_first; then AS_ROOT sleep 1.5 & sleep 0.1; done_with 1; fi; }
$kind
done_with 0
`;

/** Writes the script into the folder of a storm, and gives its path. */
export async function writeScript(directory: string, asRoot: string | undefined): Promise<string> {
  const path = `${directory}/job.sh`;
  await Deno.mkdir(`${directory}/held`);
  await Deno.chmod(`${directory}/held`, 0o777);
  await Deno.writeTextFile(path, SCRIPT.replaceAll("AS_ROOT", asRoot ?? "false"));
  // Whoever comes first would own it, and files made here are those of the harness.
  await Deno.writeTextFile(`${directory}/ledger`, "");
  await Deno.chmod(`${directory}/ledger`, 0o666);
  return path;
}

/** The lines of the ledger, in the order in which it all happened. */
export async function readLedger(directory: string): Promise<readonly LedgerLine[]> {
  const text = await Deno.readTextFile(`${directory}/ledger`);
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const [what, job, run, claim, about] = line.split(" ");
    return { what: what as LedgerLine["what"], job: job!, run: Number(run), claim: Number(claim), about: about ?? "" };
  });
}
