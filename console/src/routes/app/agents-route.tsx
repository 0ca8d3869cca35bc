import { create } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type May, useMay } from "../../api/permissions.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { agents, apps } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Loading } from "../../components/loading.tsx";
import { Table } from "../../components/table.tsx";
import { GraphPanel } from "../../features/agent-graph/graph-panel.tsx";
import { type AgentHierarchy, useAgentHierarchy } from "../../features/agent-graph/use-agent-hierarchy.ts";
import { agentTree } from "../../features/agents/agent-tree.ts";
import { CreateDialog } from "../../features/resources/create-dialog.tsx";
import { LockedNotice } from "../../features/resources/locked-notice.tsx";
import { ValidationBadge } from "../../features/resources/validation-error-list.tsx";
import { useAppName } from "./use-app-name.ts";

const AgentGraph = lazy(() => import("../../features/agent-graph/agent-graph.tsx"));

/** The agents of an app: their hierarchy as a graph, and as a table. */
export function AgentsRoute() {
  const app = useAppName();
  const may = useMay(app);
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const list = useResources(agents, app);
  const all = list.data ?? [];
  const owner = useResource(apps, app).data;
  const rootAgent = owner?.rootAgent ?? "";
  const hierarchy = useAgentHierarchy(owner, all);
  const openCreated = async (agent: Agent) => {
    // The first agent of an app becomes its root agent.
    if (owner && rootAgent === "") await hierarchy.setRootAgent(agent);
    await navigate({ to: pagePath(agent.name) });
  };
  return (
    <>
      <ListPage
        notice={<LockedNotice name={app} />}
        title="Agents"
        list={list}
        rows="agents"
        find={textOf}
        create={may("ces.agents.create") ? { label: "Create agent", onPress: () => setCreating(true) } : undefined}
        empty={{
          title: "No agents yet",
          text: "An agent has an instruction and tools. The first agent becomes the root agent.",
        }}
      >
        {(found) => (
          <>
            {hierarchy.error && <Banner tone="error" error={hierarchy.error} />}
            <MoveNotice agents={all} hierarchy={hierarchy} />
            <Hierarchy agents={all} rootAgent={rootAgent} hierarchy={hierarchy} may={may} />
            <div id={AGENT_LIST} tabIndex={-1}>
              <AgentTable agents={all} found={found} rootAgent={rootAgent} />
            </div>
          </>
        )}
      </ListPage>
      {creating && (
        <CreateDialog
          kind={agents}
          parent={app}
          title="Create agent"
          make={(displayName) => create(AgentSchema, { displayName })}
          onCreated={(agent) => void openCreated(agent)}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

/** Id of the list, which comes after a graph with as many stops as there are agents. */
const AGENT_LIST = "agent-list";

/** What is searched of an agent. */
const textOf = (agent: Agent) => `${resourceTitle(agent)} ${agent.description} ${agent.instruction}`;

interface AgentsProps {
  readonly agents: readonly Agent[];
  readonly rootAgent: string;
}

interface HierarchyProps extends AgentsProps {
  readonly hierarchy: AgentHierarchy;
  readonly may: May;
}

/** The graph, and the panel that changes the selected agent without a pointer. */
function Hierarchy({ agents: all, rootAgent, hierarchy, may }: HierarchyProps) {
  const navigate = useNavigate();
  const [selected, setSelected] = useState<string>();
  return (
    <>
      <a className="button skip-link" href={`#${AGENT_LIST}`}>
        Skip the hierarchy
      </a>
      <Suspense fallback={<Loading>Loading graph…</Loading>}>
        <AgentGraph
          agents={all}
          rootAgent={rootAgent}
          selected={selected}
          movable={may("ces.agents.update")}
          onSelect={setSelected}
          onOpen={(name) => void navigate({ to: pagePath(name) })}
          onMove={(agent, parent) => void hierarchy.setParent(agent, parent)}
        />
      </Suspense>
      <GraphPanel
        agents={all}
        agent={all.find(({ name }) => name === selected)}
        rootAgent={rootAgent}
        saving={hierarchy.saving}
        movable={may("ces.agents.update")}
        mayChangeRoot={may("ces.apps.update") && may("ces.agents.update")}
        onMove={(agent, parent) => void hierarchy.setParent(agent, parent)}
        onSetRoot={(agent) => void hierarchy.setRootAgent(agent)}
      />
    </>
  );
}

interface MoveNoticeProps {
  readonly agents: readonly Agent[];
  readonly hierarchy: AgentHierarchy;
}

/** What the last move did, and the button that undoes it: an agent is dropped on the wrong one easily. */
function MoveNotice({ agents: all, hierarchy: { moved, saving, undo } }: MoveNoticeProps) {
  const titleOf = (name: string) =>
    resourceTitle(all.find((agent) => agent.name === name) ?? { name, displayName: "" });
  if (!moved) return null;
  return (
    <Banner tone="info">
      <div className="row wrap">
        <p>
          {moved.to
            ? `${titleOf(moved.agent)} is now a child of ${titleOf(moved.to)}.`
            : `${titleOf(moved.agent)} has no parent now.`}
        </p>
        <Button small isDisabled={saving} onPress={() => void undo()}>
          Undo
        </Button>
      </div>
    </Banner>
  );
}

/** The agents that were found, each at its depth in the tree of all. */
function AgentTable({ agents: all, found, rootAgent }: AgentsProps & { readonly found: readonly Agent[] }) {
  return (
    <Table
      label="Agents"
      rows={agentTree(all, rootAgent).filter(({ agent }) => found.includes(agent))}
      keyOf={({ agent }) => agent.name}
      columns={[
        {
          id: "name",
          heading: "Name",
          cell: ({ agent, depth }) => (
            <span className="tree-name" style={{ paddingInlineStart: `${depth * 1.2}rem` }}>
              <Link to={pagePath(agent.name)}>{resourceTitle(agent)}</Link>
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
          id: "status",
          heading: "Status",
          cell: ({ agent }) => <ValidationBadge sentences={agent.validationErrors} />,
        },
      ]}
    />
  );
}
