/**
 * Gates: what must be true on a worker's host before a job may begin there,
 * such as `load<4 mem>2G free:/data>10G file:/run/ok`.
 *
 * All conditions of a gate must hold. What is true on the host is told by the
 * one who asks (`HostReadings`); the rules here are pure.
 * @module
 */
import { formatByteSize, parseByteSize } from "./byte_size.ts";
import { InvalidValueError } from "./errors.ts";

/** What a host says about itself. A value that it cannot tell is undefined. */
export interface HostReadings {
  /** Average number of processes that want to run, over a minute. */
  load(): number | undefined;
  /** Memory that programs can still have, in bytes. */
  availableMemory(): number | undefined;
  /** Room left for us on the file system of a path, in bytes. */
  freeSpace(path: string): number | undefined;
  exists(path: string): boolean;
}

export type GateCondition =
  | { readonly kind: "load"; readonly sign: "<" | ">"; readonly limit: number }
  | { readonly kind: "mem"; readonly sign: "<" | ">"; readonly limit: number }
  | { readonly kind: "free"; readonly path: string; readonly sign: "<" | ">"; readonly limit: number }
  | { readonly kind: "file"; readonly path: string };

/** Whether a gate is open; when not, `seen` says which condition failed and what was there instead. */
export type GateVerdict = { readonly isOpen: true } | { readonly isOpen: false; readonly seen: string };

const EXPECTED = "expected conditions such as load<4 mem>2G free:/data>10G file:/run/ok";
const MAX_GATE_LENGTH = 2_000;

/**
 * Reads a gate.
 * @throws {InvalidValueError} when a condition is none, or none is there.
 */
export function parseGate(value: unknown, field = "when"): readonly GateCondition[] {
  if (typeof value !== "string" || value.length > MAX_GATE_LENGTH) throw new InvalidValueError(field, value, EXPECTED);
  if (value.includes("\0")) throw new InvalidValueError(field, value, "expected text without NUL bytes");
  const words = value.trim().split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) throw new InvalidValueError(field, value, EXPECTED);
  return words.map((word) => parseCondition(word, field));
}

function parseCondition(word: string, field: string): GateCondition {
  const [, file] = /^file:(\/.*)$/.exec(word) ?? [];
  if (file !== undefined) return { kind: "file", path: file };
  const [, name = "", path, sign = "", bound = ""] = /^(load|mem|free)(?::(\/[^<>]*))?([<>])(.+)$/.exec(word) ?? [];
  const compares = sign === "<" || sign === ">";
  if (!compares || (name === "free") !== (path !== undefined)) throw new InvalidValueError(field, word, EXPECTED);
  if (name === "load") {
    const limit = Number(bound);
    if (!/^\d+(\.\d+)?$/.test(bound)) throw new InvalidValueError(field, word, "expected a number, as in load<4");
    return { kind: "load", sign, limit };
  }
  const limit = parseByteSize(bound, `${field} ${word}`);
  return path === undefined ? { kind: "mem", sign, limit } : { kind: "free", path, sign, limit };
}

/** Looks at the conditions in the order written, and no further than the first that does not hold. */
export function judgeGate(gate: readonly GateCondition[], host: HostReadings): GateVerdict {
  for (const condition of gate) {
    const seen = failing(condition, host);
    if (seen !== undefined) return { isOpen: false, seen };
  }
  return { isOpen: true };
}

/** What stands in the way; undefined when the condition holds. */
function failing(condition: GateCondition, host: HostReadings): string | undefined {
  switch (condition.kind) {
    case "load":
      return compared(`load${condition.sign}${condition.limit}`, condition, host.load(), (load) => load.toFixed(2));
    case "mem":
      return compared(
        `mem${condition.sign}${formatByteSize(condition.limit)}`,
        condition,
        host.availableMemory(),
        formatByteSize,
      );
    case "free":
      return compared(
        `free:${condition.path}${condition.sign}${formatByteSize(condition.limit)}`,
        condition,
        host.freeSpace(condition.path),
        formatByteSize,
      );
    case "file":
      return host.exists(condition.path) ? undefined : `file:${condition.path}: there is no such file`;
  }
}

function compared(
  written: string,
  { sign, limit }: { sign: "<" | ">"; limit: number },
  value: number | undefined,
  show: (value: number) => string,
): string | undefined {
  if (value === undefined) return `${written}: cannot be told here`;
  return (sign === "<" ? value < limit : value > limit) ? undefined : `${written}: it is ${show(value)}`;
}
