import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import { readLargeMessage, writeLargeMessage } from "#aip";
import type { EvaluatedSnapshot } from "../contract.ts";
import type { RunDeps } from "./execute-run.ts";

type DraftDeps = Pick<RunDeps, "resources" | "blobs">;

/** Keeps the draft of an app for a run that begins (EVAL-96). Returns whether it was kept before: then the run goes on after a stop. */
export async function keepDraft(run: string, app: string, { resources, blobs }: DraftDeps): Promise<boolean> {
  if (await blobs.get(keyOf(run))) return true;
  const { ref } = await resources.snapshot(app, "");
  await blobs.put(keyOf(run), await writeLargeMessage(AppSnapshotSchema, ref.snapshot));
  return false;
}

/** What the cases of a run run: its version, or the draft as it was when the run began, whichever server runs them and when. */
export async function evaluatedSnapshot(
  { name, appVersion }: Pick<EvaluationRun, "name" | "appVersion">,
  app: string,
  { resources, blobs }: DraftDeps,
): Promise<EvaluatedSnapshot> {
  const kept = appVersion === "" ? await blobs.get(keyOf(name)) : undefined;
  if (!kept) return resources.snapshot(app, appVersion);
  const snapshot = (await readLargeMessage(AppSnapshotSchema, kept)) as AppSnapshot;
  return { ref: { snapshot, generation: `draft of ${name}`, appVersion, deployment: "" }, displayName: "" };
}

/** Forgets the draft of a run that has ended. */
export function forgetDraft(run: string, { blobs }: Pick<DraftDeps, "blobs">): Promise<void> {
  return blobs.remove(keyOf(run));
}

function keyOf(run: string): string {
  return `evaluation/drafts/${run}`;
}
