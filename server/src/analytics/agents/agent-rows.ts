import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { type Policy, PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import type { ResourceRow } from "#storage";
import { DATA_AGENT_TYPE } from "./data-agent-name.ts";

/** The creator and the policy of an agent, stored in a row of its own. */
export interface AgentAccess {
  /** Principal as policies name it (`user:ana@example.com`); "" when the server knows no callers. */
  readonly creator: string;
  readonly policy: Policy;
  /** Grows with each change of the policy. */
  readonly etag: string;
}

const ACCESS_TYPE = "frontdesk/DataAgentAccess";

/** The row of an agent. */
export function toAgentRow(agent: DataAgent, etag: string): ResourceRow {
  const { name, displayName, createTime, updateTime } = agent;
  return {
    name,
    type: DATA_AGENT_TYPE,
    parent: name.split("/").slice(0, 4).join("/"),
    displayName,
    createTime: createTime ? timestampMs(createTime) : 0,
    updateTime: updateTime ? timestampMs(updateTime) : 0,
    etag,
    body: toBinary(DataAgentSchema, agent),
  };
}

export function fromAgentRow({ body }: ResourceRow): DataAgent {
  return fromBinary(DataAgentSchema, body);
}

/** Name of the row beside an agent; it goes with the agent's tree. */
export function accessName(agent: string): string {
  return `${agent}/access/access`;
}

export function toAccessRow(agent: string, { creator, policy, etag }: AgentAccess, now: number): ResourceRow {
  const body = toBinary(PolicySchema, policy);
  return {
    name: accessName(agent),
    type: ACCESS_TYPE,
    parent: agent,
    displayName: creator,
    createTime: now,
    updateTime: now,
    etag,
    body,
  };
}

export function fromAccessRow(row: ResourceRow | undefined): AgentAccess {
  if (!row) return { creator: "", policy: create(PolicySchema), etag: "" };
  return { creator: row.displayName, policy: fromBinary(PolicySchema, row.body), etag: row.etag };
}
