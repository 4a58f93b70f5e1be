/**
 * Templates as people and scripts see them.
 * @module
 */
import { formatTime } from "../../core/point_in_time.ts";
import type { Template } from "../../core/template.ts";
import { visibleText } from "../../core/visible_text.ts";
import { shellQuote } from "../shell_quote.ts";

export function templateToJson(template: Template): Record<string, unknown> {
  return {
    name: template.name,
    job: template.job,
    created_at: formatTime(template.created_at),
    updated_at: formatTime(template.updated_at),
  };
}

/** What it runs; null when the job brings its own command. */
export function templateCommand({ job }: Template): string | null {
  if (typeof job.command === "string") return visibleText(job.command);
  return Array.isArray(job.argv) ? visibleText(job.argv.map((word) => shellQuote(String(word))).join(" ")) : null;
}

/** Everything else that it says, as `field: value`. */
export function templateOptions({ job }: Template): string[] {
  return Object.entries(job).filter(([name]) => name !== "command" && name !== "argv").map(([name, value]) =>
    visibleText(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
  );
}
