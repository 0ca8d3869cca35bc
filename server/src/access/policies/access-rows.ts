import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { type Policy, PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import type { ResourceRow } from "#storage";

/** The stored policy of a resource. */
export interface StoredPolicy {
  readonly policy: Policy;
  /** Who created the resource, as members are written; "" when unknown. */
  readonly creator: string;
  /** Changes with each change of the policy. */
  readonly etag: string;
}

/** The row type of policies. */
export const ACCESS = "frontdesk/Access";
/** That of data agents, which were the first to have policies. */
export const DATA_AGENT_ACCESS = "frontdesk/DataAgentAccess";

const SUFFIX = "/access/access";

/** The row of a policy. It is below its resource, and goes with it. */
export function toAccessRow(resource: string, { policy, creator, etag }: StoredPolicy, now: number): ResourceRow {
  return {
    name: `${resource}${SUFFIX}`,
    type: resource.includes("/dataAgents/") ? DATA_AGENT_ACCESS : ACCESS,
    parent: resource,
    displayName: creator,
    createTime: now,
    updateTime: now,
    etag,
    body: toBinary(PolicySchema, policy),
  };
}

/** The policy in a row that `toAccessRow` made. */
export function fromAccessRow({ body, displayName, etag }: ResourceRow): StoredPolicy {
  return { policy: fromBinary(PolicySchema, body), creator: displayName, etag };
}

/** The resource whose policy a row has; undefined for other rows. The server's own policy has the resource "". */
export function resourceOfAccessRow(name: string): string | undefined {
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : undefined;
}
