import type { DescService } from "@bufbuild/protobuf";
import type { Revision } from "./contract.ts";

/** The revision that handlers use. */
export const INTERNAL_REVISION: Revision = "v1beta";

/** The revision in a service's package (`google.cloud.ces.v1.AgentService` → `v1`); undefined for unversioned mixins. */
export function revisionOf(service: DescService): Revision | undefined {
  return /\.(v1|v1beta|v1alpha)\.[^.]+$/.exec(service.typeName)?.[1] as Revision | undefined;
}
