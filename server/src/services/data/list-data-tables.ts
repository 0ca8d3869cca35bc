import type { ListDataTablesRequest } from "@frontdesk/protos/gda/data_chat_service";
import type { Access } from "#access";
import type { Analytics, DataConnections } from "#analytics";
import type { CallContext } from "#rpc";
import { shownOwned } from "./own-data.ts";

interface ListDataTablesDeps {
  readonly analytics: Pick<Analytics, "listTables">;
  readonly connections: DataConnections;
  readonly access: Access;
}

/** The tables that the operator maps, and those of the connected databases that the caller may ask (CA-55, CA-61). */
export async function listDataTables(
  request: ListDataTablesRequest,
  context: CallContext,
  { analytics, connections, access }: ListDataTablesDeps,
) {
  const { signal, caller } = context;
  const isShown = shownOwned(`${connections.kind.permission}.get`, request.parent, context, access);
  const datasets = await connections.datasets(request.parent, isShown);
  return analytics.listTables(request, { signal, caller, datasets });
}
