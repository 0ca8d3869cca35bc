import type { DescService } from "@bufbuild/protobuf";
import type { Revision } from "./contract.ts";

/** The revision that handlers use. */
export const INTERNAL_REVISION: Revision = "v1beta";

/**
 * The revision in the package of a service of these APIs (`google.cloud.ces.v1.AgentService` → `v1`); undefined for what all revisions
 * share: mixins, and protocols with versions of their own.
 */
export function revisionOf(service: DescService): Revision | undefined {
  return /^google\.cloud\..*\.(v1|v1beta|v1alpha)\.[^.]+$/.exec(service.typeName)?.[1] as Revision | undefined;
}
