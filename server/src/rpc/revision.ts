import type { DescService } from "@bufbuild/protobuf";
import type { Revision } from "./contract.ts";

/** The revision that handlers use. */
export const INTERNAL_REVISION: Revision = "v1beta";

/** What the id of an operation begins with, so that every server tells its types to a client that does not say which revision it speaks (WIRE-61). */
export function operationPrefix(revision: Revision): string | undefined {
  return revision === INTERNAL_REVISION ? undefined : revision;
}

/** The revision of the call that started an operation. */
export function revisionOfOperation(name: string): Revision {
  const [, revision = INTERNAL_REVISION] = /\/operations\/(v1|v1alpha)-/.exec(name) ?? [];
  return revision as Revision;
}

/**
 * The revision in the package of a service of these APIs (`google.cloud.ces.v1.AgentService` → `v1`); undefined for what all revisions
 * share: mixins, and protocols with versions of their own.
 */
export function revisionOf(service: DescService): Revision | undefined {
  return /^google\.cloud\..*\.(v1|v1beta|v1alpha)\.[^.]+$/.exec(service.typeName)?.[1] as Revision | undefined;
}
