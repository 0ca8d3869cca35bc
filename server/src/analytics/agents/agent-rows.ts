import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import type { ResourceRow } from "#storage";
import { DATA_AGENT_TYPE } from "./data-agent-name.ts";

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
