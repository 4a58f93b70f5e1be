/**
 * Reads the Prometheus text exposition format 0.0.4 as strictly as `promtool
 * check metrics` does, and throws at the first thing that is not right:
 * names, escapes, HELP and TYPE before their samples and once, families in one
 * piece, no sample twice, counters that end in `_total` and never are
 * negative, histograms with growing buckets, `+Inf`, `_sum` and `_count`.
 * @module
 */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: ParsedSample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/y;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;
const TYPES = ["counter", "gauge", "histogram", "summary", "untyped"];

export function parsePrometheus(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith("\n")) throw new Error("the last line must end with a newline");
  const families = new Map<string, { name: string; type: string; help: string; samples: ParsedSample[] }>();
  const seen = new Set<string>();
  let current: string | undefined;
  text.slice(0, -1).split("\n").forEach((line, i) => {
    const fail = (why: string): never => {
      throw new Error(`line ${i + 1}: ${why}: ${line}`);
    };
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment !== null) {
      const [, kind, name = "", rest = ""] = comment;
      if (!NAME.test(name)) fail("bad name");
      if (name !== current && families.has(name)) fail("the family is in two pieces");
      const family = families.get(name) ?? { name, type: "", help: "", samples: [] };
      families.set(name, family);
      current = name;
      if (family.samples.length > 0) fail(`${kind} after the first sample`);
      if (kind === "HELP") {
        if (family.help !== "") fail("a second HELP");
        if (/\\/.test(rest.replaceAll(/\\[\\n]/g, ""))) fail("bad escape in HELP");
        family.help = rest;
      } else {
        if (family.type !== "" || !TYPES.includes(rest)) fail("a second or an unknown TYPE");
        family.type = rest;
      }
      return;
    }
    const sample = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample === null) return fail("neither comment nor sample");
    const [, name = "", labelText = "", valueText = ""] = sample;
    if (!NAME.test(name)) fail("bad name");
    if (!NUMBER.test(valueText)) fail("bad number");
    const family = families.get(current ?? "") ?? fail("sample before HELP and TYPE");
    const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (!suffixes.some((suffix) => name === family.name + suffix)) fail(`sample outside of its family ${family.name}`);
    const labels = labelsOf(labelText, fail);
    const identity = JSON.stringify([name, Object.entries(labels).sort()]);
    if (seen.has(identity)) fail("the same sample twice");
    seen.add(identity);
    family.samples.push({ name, labels, value: numberOf(valueText) });
  });
  for (const family of families.values()) checkFamily(family);
  return families;
}

function labelsOf(text: string, fail: (why: string) => never): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    const match = LABEL.exec(text) ?? fail("bad labels");
    const [, name = "", value = ""] = match;
    if (name in labels || name.startsWith("__")) fail(`label ${name} twice, or reserved`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, char) => char === "n" ? "\n" : char);
  }
  return labels;
}

function numberOf(text: string): number {
  return /inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
}

function checkFamily({ name, type, help, samples }: ParsedFamily): void {
  const fail = (why: string): never => {
    throw new Error(`${name}: ${why}`);
  };
  if (type === "" || help === "") fail("no TYPE or no HELP");
  if (samples.length === 0) fail("no samples");
  if (type === "counter") {
    if (!name.endsWith("_total")) fail("a counter whose name does not end in _total");
    if (samples.some(({ value }) => !(value >= 0))) fail("a negative counter");
  } else if (/_(total|bucket|count|sum)$/.test(name)) fail(`a ${type} with the name of another type`);
  if (/(?:^|_)(?:ms|milliseconds|minutes|kilobytes|mb)(?:_|$)/.test(name)) fail("not in base units");
  if (type === "histogram") checkHistogram(samples, name, fail);
}

function checkHistogram(samples: readonly ParsedSample[], name: string, fail: (why: string) => never): void {
  const groups = Map.groupBy(
    samples,
    ({ labels: { le: _, ...others } }) => JSON.stringify(Object.entries(others).sort()),
  );
  for (const [labels, group] of groups) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    let before = { le: -Infinity, value: 0 };
    for (const { labels: { le = "" }, value } of buckets) {
      const bound = le === "+Inf" ? Infinity : Number(le);
      if (!(bound > before.le)) fail(`le does not grow at ${le} ${labels}`);
      if (value < before.value) fail(`buckets are not cumulative at ${le} ${labels}`);
      before = { le: bound, value };
    }
    if (before.le !== Infinity) fail(`no bucket +Inf ${labels}`);
    const of = (suffix: string) => group.filter((sample) => sample.name === `${name}${suffix}`);
    if (of("_sum").length !== 1 || of("_count").length !== 1) fail(`not one _sum and one _count ${labels}`);
    if (of("_count")[0]?.value !== before.value) fail(`_count is not the bucket +Inf ${labels}`);
  }
}
