import { useInfiniteQuery } from "@connectrpc/connect-query";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { Link, Navigate } from "@tanstack/react-router";
import { parseDataAgent } from "../../api/resource-names.ts";
import { ListPage } from "../../components/list-page.tsx";
import { NewDataAgentButton } from "../../features/data-description/new-data-agent-button.tsx";
import { ALL_PAGES, NamedRows, useAllRead } from "../../features/resources/named-rows.tsx";

const DATA_AGENT = "/console/projects/$project/locations/$location/dataAgents/$agent";

/** Milliseconds between two readings of the list, for each page of it. */
const POLL_INTERVAL_MS = 3_000;

/** Every data agent of the server. When there is exactly one, its page opens. */
export function DataAgentsRoute() {
  const list = useInfiniteQuery(DataAgentService.method.listDataAgents, ALL_PAGES.request, {
    ...ALL_PAGES.options,
    refetchInterval: ({ state }) => POLL_INTERVAL_MS * (state.data?.pages.length ?? 1),
  });
  useAllRead(list);
  const agents = list.data?.pages.flatMap(({ dataAgents }) => dataAgents);
  const [first] = agents ?? [];
  if (first && agents?.length === 1) return <Navigate to={DATA_AGENT} params={parseDataAgent(first.name)} replace />;
  return (
    <ListPage
      title="Data agents"
      actions={<NewDataAgentButton />}
      list={{ ...list, data: agents }}
      rows="data agents"
      find={textOf}
      empty={{
        title: "No data agents yet",
        text: "A data agent answers questions about your tables. Create one here, or with the Conversational Analytics API. A new server creates a sample data agent in the background; it appears here automatically.",
      }}
    >
      {(rows) => (
        <NamedRows
          label="Data agents"
          rows={rows}
          list={list}
          link={({ name, displayName }) => (
            <Link to={DATA_AGENT} params={parseDataAgent(name)}>
              {displayName || parseDataAgent(name).agent}
            </Link>
          )}
          columns={[{ id: "description", heading: "Description", cell: ({ description }) => description }]}
        />
      )}
    </ListPage>
  );
}

function textOf({ name, displayName, description }: DataAgent): string {
  return `${displayName} ${description} ${parseDataAgent(name).agent}`;
}
