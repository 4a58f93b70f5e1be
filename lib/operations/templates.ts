/**
 * Jobs from templates.
 * @module
 */
import { parseName } from "../core/job_fields.ts";
import { expandTemplate, type Template, type WrittenFields } from "../core/template.ts";
import type { Store } from "../store/mod.ts";

/**
 * The fields of a job with those of the template that it names below them; without a template as they are.
 * @throws {NotFoundError} when there is no such template.
 */
export async function withTemplate(store: Store, written: WrittenFields): Promise<WrittenFields> {
  return await templateExpander(store)(written);
}

/** `withTemplate` for one job after the other: each template is read once. */
export function templateExpander(store: Store): (written: WrittenFields) => Promise<WrittenFields> {
  const known = new Map<string, Template>();
  return async (written) => {
    if (written.template == null) return written;
    const name = parseName(written.template, "template");
    const template = known.get(name) ?? await store.templates.find(name);
    known.set(name, template);
    return expandTemplate(template, written);
  };
}
