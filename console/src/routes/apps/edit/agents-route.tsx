import { create } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { agents } from "../../../api/kinds/agents.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { type Refusal, toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useRefresh, useResource, useResources } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Page } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { GraphPanel } from "../../../features/agent-graph/graph-panel.tsx";
import { moveAgent } from "../../../features/agent-graph/move-agent.ts";
import { agentTree } from "../../../features/agents/agent-tree.ts";
import { CreateDialog } from "../../../features/resources/create-dialog.tsx";
import { useAppName } from "../use-app-name.ts";

const AgentGraph = lazy(() => import("../../../features/agent-graph/agent-graph.tsx"));

/** The agents of an app: their tree as a graph, and as a list. */
export function AgentsRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [chosen, setChosen] = useState<string>();
  const [creating, setCreating] = useState(false);
  const [moving, setMoving] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const list = useResources(agents, app);
  const found = useResource(apps, app).data;
  const rootAgent = found?.rootAgent ?? "";
  const all = list.data ?? [];
  const write = async (deed: () => Promise<unknown>) => {
    setMoving(true);
    setRefusal(undefined);
    try {
      await deed();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    await refresh();
    setMoving(false);
  };
  const move = (moved: Agent, to: Agent | undefined) => void write(() => moveAgent(all, moved, to));
  const begin = (agent: Agent) =>
    found && void write(() => apps.update({ ...found, rootAgent: agent.name }, ["root_agent"]));
  return (
    <Page
      title="Agents"
      actions={
        <Button tone="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden="true" /> New agent
        </Button>
      }
    >
      {list.error && <Banner tone="bad" refusal={toRefusal(list.error)} />}
      {list.isPending && <Busy>Reading the agents</Busy>}
      {refusal && <Banner tone="bad" refusal={refusal} />}
      {list.data?.length === 0 && (
        <EmptyState
          title="No agent yet"
          action={<Button onPress={() => setCreating(true)}>Create the first agent</Button>}
        >
          An agent has an instruction and tools. Create the first one; it begins the conversations.
        </EmptyState>
      )}
      {all.length > 0 && (
        <div className="stack">
          <Suspense fallback={<Busy>Loading the graph</Busy>}>
            <AgentGraph
              agents={all}
              rootAgent={rootAgent}
              chosen={chosen}
              onChoose={setChosen}
              onOpen={(name) => void navigate({ to: addressOf(name) })}
              onMove={move}
            />
          </Suspense>
          <GraphPanel
            agents={all}
            agent={all.find(({ name }) => name === chosen)}
            rootAgent={rootAgent}
            moving={moving}
            onMove={move}
            onRoot={begin}
          />
          <AgentTable agents={all} rootAgent={rootAgent} />
        </div>
      )}
      {creating && (
        <CreateDialog
          kind={agents}
          parent={app}
          title="New agent"
          make={(displayName) => create(AgentSchema, { displayName })}
          onCreated={(agent) => void begun(agent)}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );

  /** The first agent of an app begins its conversations. */
  async function begun(agent: Agent) {
    if (found && rootAgent === "") await write(() => apps.update({ ...found, rootAgent: agent.name }, ["root_agent"]));
    await navigate({ to: addressOf(agent.name) });
  }
}

function AgentTable({ agents: all, rootAgent }: { readonly agents: readonly Agent[]; readonly rootAgent: string }) {
  return (
    <Table
      label="Agents"
      rows={agentTree(all, rootAgent)}
      keyOf={({ agent }) => agent.name}
      columns={[
        {
          id: "name",
          heading: "Name",
          cell: ({ agent, depth }) => (
            <span className="tree-name" style={{ paddingInlineStart: `${depth * 1.2}rem` }}>
              <Link to={addressOf(agent.name)}>{titleOf(agent)}</Link>
            </span>
          ),
        },
        {
          id: "description",
          heading: "Description",
          cell: ({ agent }) => <span className="clamped">{agent.description}</span>,
        },
        {
          id: "tools",
          heading: "Tools",
          number: true,
          cell: ({ agent }) => agent.tools.length + agent.toolsets.length,
        },
        {
          id: "state",
          heading: "State",
          cell: ({ agent }) =>
            agent.validationErrors.length === 0 ? (
              <Badge tone="good">No problem found</Badge>
            ) : (
              <Badge tone="warning">{agent.validationErrors.length} to look at</Badge>
            ),
        },
      ]}
    />
  );
}
