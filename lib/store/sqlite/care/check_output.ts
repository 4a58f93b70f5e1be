/** Whether output files and runs belong together: files without a run, and runs whose output is gone. @module */
import type { Check } from "../../care.ts";
import type { Driver } from "../driver.ts";

/** `<seq>-<run>.out` and `.err`, what is noted beside them, and `.in` for what a run is given. */
export const OUTPUT_FILE = /^(\d+)-(\d+)\.(?:out|err|in)(?:\.\w+)*$/;

interface OutputFile {
  readonly name: string;
  readonly seq: number;
  readonly run: number;
}

export function checkOutput(driver: Driver, folder: string, { fix }: { readonly fix: boolean }): Check[] {
  return [checkFiles(driver, `${folder}/logs`, fix), checkRuns(driver, `${folder}/logs`)];
}

function checkFiles(driver: Driver, logs: string, fix: boolean): Check {
  const name = "output files";
  const known = driver.prepare("select 1 from runs where job_seq = ? and run = ?");
  const strays = filesIn(logs).filter(({ seq, run }) => known.get(seq, run) === undefined);
  if (strays.length === 0) return { name, status: "ok", message: "Every output file belongs to a run" };
  const message = `${strays.length} output files belong to no job that exists (${strays[0]?.name}, ...)`;
  if (!fix) return { name, status: "warning", message, fix: "queuectl doctor --fix removes them" };
  for (const stray of strays) Deno.removeSync(`${logs}/${stray.name}`);
  return { name, status: "ok", message: `${message}; they were removed`, isFixed: true };
}

/** Of much output the file is all but the tail. What was cut at its limit is left out: how much is left varies. */
function checkRuns(driver: Driver, logs: string): Check {
  const name = "output of runs";
  const files = new Set(filesIn(logs).map((file) => file.name));
  const rows = driver.prepare(`
    select r.job_seq, r.run,
      r.stdout_bytes > coalesce(length(o.stdout), 0) as needs_out, r.stderr_bytes > coalesce(length(o.stderr), 0) as needs_err
    from runs r left join run_output o on o.job_seq = r.job_seq and o.run = r.run
    where r.outcome is not null and r.dropped_bytes = 0 and r.stdout_bytes + r.stderr_bytes > 0
      and (r.stdout_bytes > coalesce(length(o.stdout), 0) or r.stderr_bytes > coalesce(length(o.stderr), 0))
  `).all();
  const lost = rows.filter((row) => {
    const base = `${row.job_seq}-${row.run}`;
    return (row.needs_out === 1 && !files.has(`${base}.out`)) || (row.needs_err === 1 && !files.has(`${base}.err`));
  });
  if (lost.length === 0) return { name, status: "ok", message: "The output of every run is in its place" };
  return {
    name,
    status: "warning",
    message: `The output files of ${lost.length} runs are gone (${lost[0]?.job_seq}-${lost[0]?.run}, ...); ` +
      "at most the last 64 KiB of each stream are left",
    fix: `bring back the folder ${logs} from where it went; nothing else is lost`,
  };
}

function filesIn(logs: string): OutputFile[] {
  try {
    return [...Deno.readDirSync(logs)].flatMap(({ name }) => {
      const match = OUTPUT_FILE.exec(name);
      return match === null ? [] : [{ name, seq: Number(match[1]), run: Number(match[2]) }];
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return []; // nothing ran here yet
    throw error;
  }
}
