/**
 * Many jobs at once, all or none.
 *
 * The steps, in this order: read and check everything, which may take as long
 * as its producer likes and touches no database; then insert everything in one
 * transaction, which waits for nothing. Between the two the input rests in a
 * spool and is parsed a second time: that costs a tenth of inserting it, and a
 * million jobs need no more memory than ten.
 * @module
 */
import { ConflictError, NotFoundError, QueuectlError, quoted, UsageError } from "../core/errors.ts";
import { jsonFault } from "../core/json_object.ts";
import { jsonTrouble } from "../core/json_trouble.ts";
import { baseJob, type JobDefaults, parseName, readNewJob } from "../core/job_fields.ts";
import type { NewJob } from "../core/job.ts";
import { expandTemplate, type Template, type WrittenFields } from "../core/template.ts";
import type { Store } from "../store/mod.ts";
import { type BatchForm, recordBlocks, spooledRecords } from "./batch_input.ts";
import { Spool } from "./spool.ts";

export interface BatchSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly form: BatchForm;
  /** For messages: `standard input`, or a quoted path. */
  readonly name: string;
}

export interface BatchOptions {
  readonly defaults: JobDefaults;
  /** Fields of every job that does not say otherwise. */
  readonly common: Readonly<Record<string, unknown>>;
  /** Those that jobs may name. Default: none. */
  readonly templates?: readonly Template[];
  /** Where a large input may rest; see `Spool`. */
  readonly folders: readonly string[];
  readonly onRead?: (jobs: number) => void;
}

/** A batch that was read and found good, waiting to be inserted. */
export class CheckedBatch<T = NewJob> implements Disposable {
  readonly #spool: Spool;
  readonly #read: (record: string) => T;
  readonly #name: string;
  /** The lines of jobs are not those of the spool where the source was an array. */
  readonly #hasLines: boolean;
  readonly count: number;

  constructor(parts: { spool: Spool; read: (record: string) => T; name: string; hasLines: boolean; count: number }) {
    this.#spool = parts.spool;
    this.#read = parts.read;
    this.#name = parts.name;
    this.#hasLines = parts.hasLines;
    this.count = parts.count;
  }

  /** In the order in which they were written; `onJob` is told the line, or item, of each before it is given away. */
  *jobs(onJob?: (job: T, line: number) => void): Generator<T> {
    let line = 0;
    for (const record of spooledRecords(this.#spool.pieces())) {
      line++;
      if (isBlank(record)) continue;
      const job = this.#read(record);
      onJob?.(job, line);
      yield job;
    }
  }

  /** `line 7 of "jobs.ndjson"`, by the number that `jobs` told. */
  placeOf(line: number): string {
    return `${this.#hasLines ? "line" : "item"} ${line} of ${this.#name}`;
  }

  [Symbol.dispose](): void {
    this.#spool[Symbol.dispose]();
  }
}

/**
 * Reads and checks all of it.
 * @throws {UsageError} naming the first line that is refused, and why.
 */
export async function readBatch(source: BatchSource, options: BatchOptions): Promise<CheckedBatch> {
  const { defaults } = options;
  const expanded = templateReader(options.templates ?? []);
  const base = baseJob(expanded(options.common), defaults);
  const read = source.form === "lines"
    ? (record: string) => readNewJob({ command: withoutReturn(record) }, defaults, base)
    : (record: string) => readNewJob(expanded(parsedRecord(record)), defaults, base);
  return await readRecords(source, read, options);
}

/** As `readBatch`, for records of any kind: `read` makes something of each, or throws. It is called twice for each. */
export async function readRecords<T>(
  source: BatchSource,
  read: (record: string) => T,
  { folders, onRead }: Pick<BatchOptions, "folders" | "onRead">,
): Promise<CheckedBatch<T>> {
  const spool = new Spool({ folders });
  let count = 0;
  let hasLines = true;
  try {
    for await (const { bytes, records, lineOf, isArray } of recordBlocks(source.chunks, source.form)) {
      for (const [index, record] of records.entries()) {
        if (isBlank(record)) continue;
        try {
          read(record);
        } catch (error) {
          throw atLine(error, lineOf(index));
        }
        count++;
      }
      hasLines &&= !isArray;
      spool.append(bytes);
      onRead?.(count);
    }
    return new CheckedBatch({ spool, read, name: source.name, hasLines, count });
  } catch (error) {
    spool[Symbol.dispose]();
    throw error instanceof UsageError ? named(error, source) : error;
  }
}

/** Fields with those of the template that they name below them. */
function templateReader(templates: readonly Template[]): (written: WrittenFields) => WrittenFields {
  const known = new Map(templates.map((template) => [template.name, template]));
  return (written) => {
    if (written.template == null) return written;
    const name = parseName(written.template, "template");
    const template = known.get(name);
    if (template === undefined) {
      throw new NotFoundError(`No template ${quoted(name)}`, { hint: "queuectl template list" });
    }
    return expandTemplate(template, written);
  };
}

export interface InsertOptions {
  /** Called for each job while the transaction is open. */
  readonly onInserted?: (id: string, count: number) => void;
  /** Is enqueued when the last job of the batches that they belong to has ended. */
  readonly onBatchDone?: NewJob | undefined;
}

/**
 * Inserts all of it in one transaction; returns how many.
 * @throws {ConflictError} naming the line whose id is in use; then nothing is stored.
 */
export async function insertBatch(store: Store, batch: CheckedBatch, options: InsertOptions = {}): Promise<number> {
  let at = { line: 0, id: null as string | null };
  let count = 0;
  const jobs = () => {
    count = 0;
    return batch.jobs(({ id }, line) => at = { line, id });
  };
  try {
    return await store.jobs.enqueueMany(jobs, (id) => options.onInserted?.(id, ++count), {
      sealsBatches: true,
      onBatchDone: options.onBatchDone,
    });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    throw await conflictAt(store, error, { place: batch.placeOf(at.line), id: at.id });
  }
}

/** Whether an id was there before, or comes twice in the batch itself. */
export async function conflictAt(
  store: Store,
  error: ConflictError,
  { place, id }: { place: string; id: string | null },
): Promise<ConflictError> {
  const message = error.message.replace(/^Cannot enqueue /, `Cannot enqueue ${place}, `);
  if (id === null || await isThere(store, id)) return new ConflictError(message, { hint: error.hint, cause: error });
  return new ConflictError(message.replace("the id is in use", "the batch has this id twice"), { cause: error });
}

async function isThere(store: Store, id: string): Promise<boolean> {
  try {
    return (await store.jobs.find(id)).id === id;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

export function parsedRecord(record: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(record);
  } catch (error) {
    const { what, offset } = jsonTrouble(error, record);
    throw new UsageError(`invalid JSON: ${what} at column ${offset + 1}`, { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError("expected a job as a JSON object");
  }
  const fault = jsonFault(record, value);
  if (fault !== undefined) throw new UsageError(fault);
  return value as Record<string, unknown>;
}

function isBlank(record: string): boolean {
  // The usual line is not looked at beyond its first character.
  return record.length === 0 || (record.charCodeAt(0) <= 32 && record.trim() === "");
}

/** Lines of a file from another system end in CR LF. */
function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function atLine(error: unknown, line: number): unknown {
  if (!(error instanceof QueuectlError)) return error;
  const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  return new UsageError(`line ${line}: ${reason}`, { hint: error.hint, cause: error });
}

/** `line 7: ...` -> `Cannot enqueue line 7 of "jobs.ndjson": ...`. */
function named(error: UsageError, { name, form }: BatchSource): UsageError {
  const message = error.message.replace(/^line (\d+): /, `Cannot enqueue line $1 of ${name.replaceAll("$", "$$$$")}: `);
  const isNoJson = form === "json" && /^line 1: invalid JSON/.test(error.message);
  const hint = error.hint ?? (isNoJson ? "queuectl enqueue-batch --lines for a command on each line" : undefined);
  return new UsageError(message, { hint, cause: error.cause ?? error });
}
