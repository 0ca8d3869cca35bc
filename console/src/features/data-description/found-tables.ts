import { createClient } from "@connectrpc/connect";
import { useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService, type UnreachableSource } from "@frontdesk/protos/gda/data_chat_service";
import type { DataConnection } from "@frontdesk/protos/gda/data_connection";
import type { Datasource } from "@frontdesk/protos/gda/datasource";
import { keepPreviousData, useQuery as useRead } from "@tanstack/react-query";
import { listAllPages } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { transport } from "../../api/transport.ts";
import { fullName, isOwnData, isUpload, type TableName } from "../data-chat/table-name.ts";
import { contextOf } from "./agent-parts.ts";
import { tablesOf } from "./agent-tables.ts";

/** A table that may be asked, and something that tells it from others: what it is, its columns, or where it is known from. */
interface FoundTable {
  readonly name: TableName;
  readonly about: string;
}

/** Tables by words of their names. */
interface FoundTables {
  readonly tables: readonly FoundTable[];
  /** Databases that do not answer. */
  readonly unreachable: readonly UnreachableSource[];
  readonly error: StatusError | undefined;
  readonly isReading: boolean;
  /** Reads more of them; absent where there are no more. */
  readonly readMore: (() => void) | undefined;
}

const PAGE_SIZE = 30;
/** Columns that are named beside a table, at most. */
const NAMED_COLUMNS = 6;
/** What was made a moment ago is there, too. */
const NOW = { refetchOnMount: "always" } as const;

/** Tables of uploaded files and of data agents, then those of connected databases and of the configuration; without these for people who may not ask them. */
export function useFoundTables(parent: string, query: string): FoundTables {
  const known = useKnownTables(parent);
  const databases =
    useQuery(DataAgentService.method.listDataConnections, { parent, pageSize: 100 }, NOW).data?.dataConnections ?? [];
  const request = { parent, query, pageSize: PAGE_SIZE, pageToken: "" };
  const list = useInfiniteQuery(DataChatService.method.listDataTables, request, {
    pageParamKey: "pageToken",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const error = list.error ? toStatusError(list.error) : undefined;
  const pages = list.data?.pages ?? [];
  const words = query.toLowerCase().split(/\s+/);
  const matching = known.filter(({ name, about }) => {
    const text = `${fullName(name)} ${isUpload(name.datasetId) ? about : ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const listed = pages.flatMap(({ dataTables }) => dataTables.flatMap(toTable));
  const all = [...matching, ...listed.map((table) => ofDatabase(table, databases))];
  const sources = pages.flatMap(({ unreachableSources }) => unreachableSources);
  return {
    // What its database tells of a table is more than which data agent has it.
    tables: [...new Map(all.map((table) => [fullName(table.name), table])).values()],
    unreachable: [...new Map(sources.map((one) => [one.source, one])).values()],
    error: error?.code === "PERMISSION_DENIED" ? undefined : error,
    isReading: list.isFetching,
    readMore: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
  };
}

/** Tables of the files and of the data agents that the person sees. */
function useKnownTables(parent: string): readonly FoundTable[] {
  const files =
    useRead({ queryKey: ["all-data-files", parent], queryFn: ({ signal }) => readFiles(parent, signal), ...NOW })
      .data ?? [];
  const agents =
    useQuery(DataAgentService.method.listDataAgents, { parent, pageSize: 100 }, NOW).data?.dataAgents ?? [];
  const uploaded = files.flatMap(({ displayName, tables }) =>
    tables.flatMap(({ tableReference }) =>
      tableReference ? [{ name: nameOf(tableReference), about: displayName }] : [],
    ),
  );
  const asked = agents.flatMap((agent) =>
    (tablesOf(contextOf(agent)) ?? [])
      .filter(({ datasetId }) => !isOwnData(datasetId))
      .map((table) => ({ name: nameOf(table), about: agent.displayName })),
  );
  return [...uploaded, ...asked];
}

const client = createClient(DataAgentService, transport);

function readFiles(parent: string, signal: AbortSignal) {
  return listAllPages(async (pageToken) => {
    const request = { parent, pageSize: 100, pageToken };
    const { dataFiles, nextPageToken } = await client.listDataFiles(request, { signal });
    return { items: dataFiles, next: nextPageToken };
  });
}

function toTable({ reference, schema }: Datasource): readonly FoundTable[] {
  if (reference.case !== "bigqueryTableReference") return [];
  const columns = (schema?.fields ?? []).map(({ name }) => name);
  const more = columns.length > NAMED_COLUMNS ? ", …" : "";
  const about = schema?.description || `${columns.slice(0, NAMED_COLUMNS).join(", ")}${more}`;
  return [{ name: nameOf(reference.value), about }];
}

/** Tables of connected databases are told with the name of theirs. */
function ofDatabase({ name, about }: FoundTable, databases: readonly DataConnection[]): FoundTable {
  const database = databases.find((one) => one.name.endsWith(`/${name.datasetId}`));
  return { name, about: database ? `${database.displayName}: ${about}` : about };
}

function nameOf({ projectId, datasetId, tableId }: TableName): TableName {
  return { projectId, datasetId, tableId };
}
