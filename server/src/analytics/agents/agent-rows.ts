import { clone, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { locationOf } from "#aip";
import type { ResourceRow } from "#storage";
import { DATA_AGENT_TYPE } from "./data-agent-name.ts";

/** The row of an agent. Its etag is that of the row, and not in the body. */
export function toAgentRow(agent: DataAgent, etag: string): ResourceRow {
  const { name, displayName, createTime, updateTime } = agent;
  const stored = clone(DataAgentSchema, agent);
  stored.etag = "";
  return {
    name,
    type: DATA_AGENT_TYPE,
    parent: locationOf(name),
    displayName,
    createTime: createTime ? timestampMs(createTime) : 0,
    updateTime: updateTime ? timestampMs(updateTime) : 0,
    etag,
    body: toBinary(DataAgentSchema, stored),
  };
}

/** With the etag of the row. */
export function fromAgentRow({ body, etag }: ResourceRow): DataAgent {
  const agent = fromBinary(DataAgentSchema, body);
  agent.etag = etag;
  return agent;
}
