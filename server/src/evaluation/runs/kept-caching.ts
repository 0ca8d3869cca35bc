import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { type EvaluationRunCachingSettings, EvaluationRunCachingSettingsSchema } from "@frontdesk/protos/ces/common";
import type { RunDeps } from "./execute-run.ts";

/**
 * Keeps the caching settings that the request of a run had, until it has ended (EVAL-104): any server may do its work, and an app that skips what is unchanged
 * must not decide a run that was to ask anew.
 */
export async function keepCaching(
  run: string,
  caching: EvaluationRunCachingSettings | undefined,
  { blobs }: Pick<RunDeps, "blobs">,
): Promise<void> {
  if (caching) await blobs.put(keyOf(run), toBinary(EvaluationRunCachingSettingsSchema, caching));
}

/** The caching settings that the request of a run had; undefined when it had none. */
export async function keptCaching(
  run: string,
  { blobs }: Pick<RunDeps, "blobs">,
): Promise<EvaluationRunCachingSettings | undefined> {
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
