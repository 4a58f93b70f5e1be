/**
 * A nested value as lines for `--format plain`: `duration_ms.p95<TAB>120`, one
 * for each number or text in it. List items are numbered from 0.
 * @module
 */
import { visibleText } from "../../core/visible_text.ts";

export function flattened(value: unknown, path = ""): string[] {
  if (value === null || typeof value !== "object") return [`${path}\t${visibleText(String(value ?? ""))}`];
  return Object.entries(value).flatMap(([name, inner]) => flattened(inner, path === "" ? name : `${path}.${name}`));
}
