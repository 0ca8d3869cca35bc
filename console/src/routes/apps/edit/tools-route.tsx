import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { apps } from "../../../api/kinds/apps.ts";
import { tools } from "../../../api/kinds/tools.ts";
import { toolsets } from "../../../api/kinds/toolsets.ts";
import { toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResource, useResources } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Page } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { toolDescription } from "../../../features/agents/use-names.ts";
import { type Problem, parseProblem } from "../../../features/resources/problem.ts";
import { NewTool, NewToolset } from "../../../features/tools/new-tool.tsx";
import { kindLabel } from "../../../features/tools/tool-kinds.ts";
import { useAppName } from "../use-app-name.ts";

/** The tools of an app, and the toolsets that bring several at once. */
export function ToolsRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState<"tool" | "toolset">();
  const toolList = useResources(tools, app);
  const toolsetList = useResources(toolsets, app);
  const problems = (useResource(apps, app).data?.validationErrors ?? []).map(parseProblem);
  const error = toolList.error ?? toolsetList.error;
  const rows = [...(toolList.data ?? []), ...(toolsetList.data ?? [])];
  return (
    <Page
      title="Tools"
      actions={
        <>
          <Button onPress={() => setCreating("toolset")}>
            <Plus size={16} aria-hidden="true" /> New toolset
          </Button>
          <Button tone="primary" onPress={() => setCreating("tool")}>
            <Plus size={16} aria-hidden="true" /> New tool
          </Button>
        </>
      }
    >
      {error && <Banner tone="bad" refusal={toRefusal(error)} />}
      {(toolList.isPending || toolsetList.isPending) && <Busy>Reading the tools</Busy>}
      {toolList.data && toolsetList.data && rows.length === 0 && (
        <EmptyState
          title="No tool yet"
          action={<Button onPress={() => setCreating("tool")}>Write a Python tool</Button>}
        >
          A tool lets an agent look something up or do something. The quickest one is a Python function.
        </EmptyState>
      )}
      {rows.length > 0 && <ToolTable rows={rows} problems={problems} />}
      {creating === "tool" && (
        <NewTool
          app={app}
          onClose={() => setCreating(undefined)}
          onCreated={({ name }) => void navigate({ to: addressOf(name) })}
        />
      )}
      {creating === "toolset" && (
        <NewToolset
          app={app}
          onClose={() => setCreating(undefined)}
          onCreated={({ name }) => void navigate({ to: addressOf(name) })}
        />
      )}
    </Page>
  );
}

function ToolTable({
  rows,
  problems,
}: {
  readonly rows: readonly (Tool | Toolset)[];
  readonly problems: readonly Problem[];
}) {
  return (
    <Table
      label="Tools and toolsets"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { id: "name", heading: "Name", cell: (row) => <Link to={addressOf(row.name)}>{titleOf(row)}</Link> },
        {
          id: "kind",
          heading: "Kind",
          cell: (row) =>
            "toolType" in row ? kindLabel(row.toolType.case) : `${kindLabel(row.toolsetType.case)} (toolset)`,
        },
        {
          id: "description",
          heading: "Description",
          cell: (row) => (
            <span className="clamped">{"toolType" in row ? toolDescription(row.toolType.value) : row.description}</span>
          ),
        },
        {
          id: "state",
          heading: "State",
          cell: (row) => {
            const subject = `${"toolType" in row ? "Tool" : "Toolset"} '${titleOf(row)}'`;
            const count = problems.filter((problem) => problem.subject === subject).length;
            return count === 0 ? (
              <Badge tone="good">No problem found</Badge>
            ) : (
              <Badge tone="warning">{count} to look at</Badge>
            );
          },
        },
      ]}
    />
  );
}
