import { createHash } from "node:crypto";
import { type Deployment, ExperimentConfig_State as State } from "@frontdesk/protos/ces/deployment";

/**
 * The version that a new session of a deployment runs. A running version release gets its share of the sessions, chosen by a hash of
 * the session's id, so that every server chooses the same. Other sessions run the deployment's own version. "" = the draft
 * (SESS-4).
 */
export function versionFor(
  { name, appVersion, experimentConfig }: Pick<Deployment, "name" | "appVersion" | "experimentConfig">,
  session: string,
): string {
  const release = experimentConfig?.versionRelease;
  if (release?.state !== State.RUNNING) return draftIsEmpty(appVersion);
  let remaining = percentileOf(`${name} ${session}`);
  for (const { trafficPercentage, appVersion: version } of release.trafficAllocations) {
    remaining -= trafficPercentage;
    if (remaining < 0) return draftIsEmpty(version);
  }
  return draftIsEmpty(appVersion);
}

/** `versions/-` means the draft too (SESS-3). */
function draftIsEmpty(version: string): string {
  return version.endsWith("/versions/-") ? "" : version;
}

/** A number from 0 to 100 (exclusive), uniformly distributed, always the same for the same text. */
function percentileOf(text: string): number {
  return (createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32) * 100;
}
