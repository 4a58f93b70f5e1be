/** `queuectl logs`: what all runs of a job wrote, live with -f. @module */
import { UsageError } from "../../core/errors.ts";
import { formatTime } from "../../core/point_in_time.ts";
import { visibleText } from "../../core/visible_text.ts";
import { type FollowOptions, followOutput, type OutputChunk } from "../../operations/follow_output.ts";
import { droppedLine } from "../../operations/output_files.ts";
import type { Store } from "../../store/store.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { integer, isOn, requiredWord } from "../input.ts";
import { isJsonFormat, jsonText, printJsonList } from "../output/json.ts";
import { type LogLine, LogLines } from "../output/log_lines.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const tail = integer(input, "tail");
  if (tail !== undefined && tail < 0) throw new UsageError(`Invalid --tail "${tail}": expected 0 or more`);
  const isLive = isOn(input, "follow");
  const store = await context.store("read");
  const job = await store.jobs.find(requiredWord(input, 0));
  const abort = new AbortController();
  const onInterrupt = () => abort.abort();
  Deno.addSignalListener("SIGINT", onInterrupt);
  try {
    const following: FollowOptions = { job, isLive, signal: abort.signal, ...runNotes(context) };
    const isByLine = tail !== undefined || isOn(input, "timestamps") || isJsonFormat(context);
    if (isByLine) return await printLines(context, store, { following, tail, hasTimes: isOn(input, "timestamps") });
    const write = context.isTerminal ? visibleWriter(context) : byteWriter(context);
    for await (const chunk of followOutput(store, following)) write(chunk);
    if (job.run_count === 0 && !isLive) context.note(`Job ${job.id} has not run yet`);
  } finally {
    Deno.removeSignalListener("SIGINT", onInterrupt);
  }
}

/** A word between two runs, where it is no part of the output. */
function runNotes(context: Context): Pick<FollowOptions, "onRun"> {
  let isFirst = true;
  return {
    onRun({ run }) {
      if (!isFirst && !isJsonFormat(context)) context.note(`--- run ${run} ---`);
      isFirst = false;
    },
  };
}

function byteWriter(context: Context): (chunk: OutputChunk) => void {
  return ({ bytes, dropped }) => {
    if (dropped > 0) context.write(droppedLine(dropped));
    if (bytes.length > 0) context.writeBytes(bytes);
  };
}

/** A terminal must not be driven by what a job printed. */
function visibleWriter(context: Context): (chunk: OutputChunk) => void {
  const decoders = new Map<string, TextDecoder>();
  return ({ run, stream, bytes, dropped }) => {
    const key = `${run} ${stream}`;
    const decoder = decoders.get(key) ?? new TextDecoder();
    decoders.set(key, decoder);
    if (dropped > 0) context.write(droppedLine(dropped));
    context.write(visibleText(decoder.decode(bytes, { stream: true }), { keepNewlines: true }));
  };
}

interface LinePrinting {
  readonly following: FollowOptions;
  /** How many lines of what is there at first are shown. */
  readonly tail: number | undefined;
  readonly hasTimes: boolean;
}

async function printLines(context: Context, store: Store, { following, tail, hasTimes }: LinePrinting): Promise<void> {
  const print = linePrinter(context, { isLive: following.isLive === true, hasTimes });
  const lines = new LogLines();
  const kept: LogLine[] = [];
  let isBacklog = tail !== undefined;
  const show = (shown: readonly LogLine[]) => {
    if (!isBacklog) return print.lines(shown);
    kept.push(...shown);
    kept.splice(0, kept.length - (tail ?? 0));
  };
  const endBacklog = () => {
    isBacklog = false;
    print.lines(kept.splice(0));
  };
  const onCaughtUp = () => {
    if (isBacklog) endBacklog();
  };
  for await (const chunk of followOutput(store, { ...following, onCaughtUp })) {
    show(lines.push(chunk, context.clock.now()));
  }
  show(lines.end());
  if (isBacklog) endBacklog();
  print.end();
}

interface LinePrinter {
  lines(lines: readonly LogLine[]): void;
  end(): void;
}

function linePrinter(context: Context, { isLive, hasTimes }: { isLive: boolean; hasTimes: boolean }): LinePrinter {
  const toJson = ({ at, run, stream, text }: LogLine) => ({ time: formatTime(at), run, stream, text });
  if (context.format === "json" && !isLive) {
    const all: LogLine[] = [];
    return { lines: (lines) => void all.push(...lines), end: () => printJsonList(context, all.map(toJson)) };
  }
  // A list that has no end yet cannot be an array: a line for each, then.
  const toText = isJsonFormat(context) ? (line: LogLine) => jsonText(toJson(line)) : (line: LogLine) => {
    const text = context.isTerminal ? visibleText(line.text, { keepNewlines: true }) : line.text;
    return hasTimes ? `${formatTime(line.at)} ${text}` : text;
  };
  const encoder = new TextEncoder();
  // A file or a pipe gets what the job printed. JSON and the lines for a terminal are safe already.
  const write = (text: string) => context.writeBytes(encoder.encode(text));
  return {
    lines(lines) {
      if (lines.length > 0) write(lines.map((line) => `${toText(line)}\n`).join(""));
    },
    end() {},
  };
}
