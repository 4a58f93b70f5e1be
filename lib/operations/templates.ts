/**
 * Jobs from templates.
 * @module
 */
import { parseName } from "../core/job_fields.ts";
import { expandTemplate, type WrittenFields } from "../core/template.ts";
import type { Store } from "../store/mod.ts";

/**
 * The fields of a job with those of the template that it names below them; without a template as they are.
 * @throws {NotFoundError} when there is no such template.
 */
export async function withTemplate(store: Store, written: WrittenFields): Promise<WrittenFields> {
  if (written.template == null) return written;
  return expandTemplate(await store.templates.find(parseName(written.template, "template")), written);
}
