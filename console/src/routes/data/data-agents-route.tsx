import { useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { Link, Navigate } from "@tanstack/react-router";
import { isAccess, toRefusal } from "../../api/refusal.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { parseDataAgent } from "./data-agent-name.ts";

/** Every data agent; where there is one only, it is opened. */
export function DataAgentsRoute() {
  const list = useQuery(
    DataAgentService.method.listDataAgents,
    { parent: "projects/-/locations/-", pageSize: 100 },
    { refetchInterval: LOOK_AGAIN },
  );
  const refusal = list.error ? toRefusal(list.error) : undefined;
  const agents = list.data?.dataAgents ?? [];
  const [only] = agents;
  if (only && agents.length === 1) {
    return <Navigate to={ASK} params={parseDataAgent(only.name)} replace />;
  }
  return (
    <Page title="Ask your data">
      {refusal && !isAccess(refusal) && <Banner tone="bad" refusal={refusal} />}
      {list.isPending && <Busy>Reading the data agents</Busy>}
      {list.data && agents.length === 0 && (
        <EmptyState title="No data agent yet">
          A data agent knows some tables and what they mean. Create one with the Conversational Analytics API, then ask
          it here. A server that was just started is still making its example; it shows here by itself.
        </EmptyState>
      )}
      {agents.length > 1 && (
        <Table
          label="Data agents"
          rows={agents}
          keyOf={({ name }) => name}
          columns={[
            {
              id: "name",
              heading: "Name",
              cell: ({ name, displayName }) => (
                <Link to={ASK} params={parseDataAgent(name)}>
                  {displayName || parseDataAgent(name).agent}
                </Link>
              ),
            },
            { id: "description", heading: "Description", cell: ({ description }) => description },
          ]}
        />
      )}
    </Page>
  );
}

const ASK = "/console/projects/$project/locations/$location/dataAgents/$agent";

/** Milliseconds between two looks at the list. */
const LOOK_AGAIN = 3_000;
