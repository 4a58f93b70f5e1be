/**
 * What new jobs take over from the settings of the moment. The values stay
 * with the job: a later change of a setting does not reach back.
 * @module
 */
import { forbiddenBy } from "../core/allowed_commands.ts";
import type { JobDefaults } from "../core/job_fields.ts";
import type { Settings } from "./load_settings.ts";

export function jobDefaults(
  { values }: Settings,
  caller: { now: number; cwd: string | null; allowPast?: boolean },
): JobDefaults {
  return {
    ...caller,
    max_retries: values.max_retries,
    backoff: {
      strategy: values.backoff_strategy,
      base: values.backoff_base,
      delay: values.backoff_delay / 1_000,
      max: values.backoff_max / 1_000,
      jitter: values.backoff_jitter,
    },
    timeout_ms: values.job_timeout || null,
    kill_grace_ms: values.kill_grace,
    ...(values.allow_commands === "" ? {} : { forbids: forbiddenBy(values.allow_commands) }),
  };
}
