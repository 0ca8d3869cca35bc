import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { idOf, resourceTypeOf, WILDCARD } from "#aip";
import type { FieldViolation } from "#status";
import { defineResource } from "../define-resource.ts";

/** Length that a traffic allocation's id can have (TrafficAllocation.id's comment). */
const MAX_ALLOCATION_ID = 128;

/** Deployments: a version, or the draft, on a channel. */
export const deployments = defineResource(DeploymentSchema, "app", { validate: trafficViolations });

/** Whether a version name means the draft (Deployment.app_version's comment). */
export function isDraftVersion(type: string, name: string): boolean {
  return type === resourceTypeOf(AppVersionSchema)?.type && idOf(name) === WILDCARD;
}

function trafficViolations({ experimentConfig }: Deployment): readonly FieldViolation[] {
  const allocations = experimentConfig?.versionRelease?.trafficAllocations ?? [];
  const field = "experiment_config.version_release.traffic_allocations";
  const violations: FieldViolation[] = [];
  for (const [index, { id, trafficPercentage }] of allocations.entries()) {
    if (id.length > MAX_ALLOCATION_ID) {
      violations.push({
        field: `${field}[${index}].id`,
        description: `An id has at most ${MAX_ALLOCATION_ID} characters.`,
      });
    }
    if (trafficPercentage < 0 || trafficPercentage > 100) {
      violations.push({
        field: `${field}[${index}].traffic_percentage`,
        description: "A percentage is between 0 and 100.",
      });
    }
  }
  const sum = allocations.reduce((total, { trafficPercentage }) => total + trafficPercentage, 0);
  if (allocations.length > 0 && sum !== 100)
    violations.push({ field, description: `The percentages add up to ${sum}; they must add up to 100.` });
  return violations;
}
