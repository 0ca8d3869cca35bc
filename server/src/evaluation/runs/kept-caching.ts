import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { type EvaluationRunCachingSettings, EvaluationRunCachingSettingsSchema } from "@frontdesk/protos/ces/common";
import type { RunDeps } from "./execute-run.ts";

/**
 * The caching settings that the request of a run had, which its operation alone is begun with (EVAL-104). After a stop, when they are not
 * `given`, the run goes on with those that it began with: an app that skips what is unchanged must not decide a run that was to ask anew.
 */
export async function keptCaching(
  run: string,
  given: EvaluationRunCachingSettings | undefined,
  { blobs }: Pick<RunDeps, "blobs">,
): Promise<EvaluationRunCachingSettings | undefined> {
  if (given) {
    await blobs.put(keyOf(run), toBinary(EvaluationRunCachingSettingsSchema, given));
    return given;
  }
  const kept = await blobs.get(keyOf(run));
  return kept && fromBinary(EvaluationRunCachingSettingsSchema, kept);
}

/** Forgets the settings of a run that has ended. */
export function forgetCaching(run: string, { blobs }: Pick<RunDeps, "blobs">): Promise<void> {
  return blobs.remove(keyOf(run));
}

function keyOf(run: string): string {
  return `evaluation/caching/${run}`;
}
