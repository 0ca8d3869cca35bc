import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { compileFilter, decodePageToken, encodePageToken, type OrderKey, pageSizeOf, parseOrderBy } from "#aip";
import { definedFields } from "#base";
import type { ResourceRow, ResourceStore } from "#storage";
import { fromAgentRow } from "./agent-rows.ts";
import { checkLocation, DATA_AGENT_TYPE } from "./data-agent-name.ts";

/** The fields that both list requests have in common. */
export interface AgentList {
  /** Location; `-` matches any. */
  readonly parent: string;
  readonly pageSize: number;
  readonly pageToken: string;
  /** Binds the token to the rest of the request. */
  readonly checksum: string;
  readonly filter: string;
  /** Default by name. */
  readonly orderBy: string;
  readonly showDeleted: boolean;
  /** Whether the caller is to see it. */
  readonly shown: (agents: readonly DataAgent[]) => Promise<readonly DataAgent[]>;
}

export interface AgentPage {
  readonly agents: readonly DataAgent[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

const ROWS_AT_A_TIME = 200;
const ORDERED_BY = ["name", "display_name", "create_time", "update_time"];
/** Pages of this API are a hundred at most (CA-6). */
export const PAGES = { defaultSize: 50, maxSize: 100 };

/** One page of agents. A location has few, so all are read and sorted here. */
export async function listAgents(store: ResourceStore, list: AgentList): Promise<AgentPage> {
  checkLocation(list.parent, { wildcards: true });
  const size = pageSizeOf(list.pageSize, PAGES);
  const after = decodePageToken(list.pageToken, list.checksum, "sorted");
  const [key = { path: "name", descending: false }] = parseOrderBy(list.orderBy, ORDERED_BY);
  const test = compileFilter(DataAgentSchema, list.filter);
  const agents = (await allAgents(store, list.parent)).filter(
    (agent) => (list.showDeleted || !agent.deleteTime) && (test?.(agent) ?? true),
  );
  const ordered = [...(await list.shown(agents))].sort((a, b) => compare(positionOf(a, key), positionOf(b, key), key));
  const rest = after ? ordered.filter((agent) => compare(positionOf(agent, key), after, key) > 0) : ordered;
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const nextPageToken = last && rest.length > size ? encodePageToken([...positionOf(last, key)], list.checksum) : "";
  return { agents: page, nextPageToken };
}

/** Every agent below a location, deleted ones included. */
export async function allAgents(store: Pick<ResourceStore, "list">, parent: string): Promise<readonly DataAgent[]> {
  const rows: ResourceRow[] = [];
  let after: readonly [string | number, string] | undefined;
  do {
    const page = await store.list({
      type: DATA_AGENT_TYPE,
      parent,
      orderBy: "name",
      descending: false,
      limit: ROWS_AT_A_TIME,
      ...definedFields({ after }),
    });
    rows.push(...page.rows);
    after = page.last;
  } while (after);
  return rows.map(fromAgentRow);
}

type Position = readonly [string | number, string];

function positionOf(agent: DataAgent, { path }: OrderKey): Position {
  switch (path) {
    case "display_name":
      return [agent.displayName, agent.name];
    case "create_time":
      return [milliseconds(agent.createTime), agent.name];
    case "update_time":
      return [milliseconds(agent.updateTime), agent.name];
    default:
      return [agent.name, agent.name];
  }
}

function milliseconds(time: Timestamp | undefined): number {
  return time ? timestampMs(time) : 0;
}

function compare([a, aName]: Position, [b, bName]: Position, { descending }: OrderKey): number {
  const order = a === b ? (aName < bName ? -1 : Number(aName > bName)) : a < b ? -1 : 1;
  return descending ? -order : order;
}
