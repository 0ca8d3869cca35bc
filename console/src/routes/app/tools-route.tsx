import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { apps, tools, toolsets } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";
import { Button } from "../../components/button.tsx";
import { ListPage, type ListQuery } from "../../components/list-page.tsx";
import { Table } from "../../components/table.tsx";
import { toolDescription } from "../../features/agents/use-names.ts";
import { LockedNotice } from "../../features/resources/locked-notice.tsx";
import { parseValidationError, type ValidationError } from "../../features/resources/validation-error.ts";
import { ValidationBadge } from "../../features/resources/validation-error-list.tsx";
import { CreateToolDialog, CreateToolsetDialog } from "../../features/tools/create-tool-dialog.tsx";
import { toolTypeLabel } from "../../features/tools/tool-types.ts";
import { useAppName } from "./use-app-name.ts";

/** The tools and toolsets of an app. */
export function ToolsRoute() {
  const app = useAppName();
  const may = useMay(app);
  const navigate = useNavigate();
  const [creating, setCreating] = useState<"tool" | "toolset">();
  const [toolList, toolsetList] = [useResources(tools, app), useResources(toolsets, app)];
  const list: ListQuery<Tool | Toolset> = {
    data: toolList.data && toolsetList.data && [...toolList.data, ...toolsetList.data],
    isPending: toolList.isPending || toolsetList.isPending,
    error: toolList.error ?? toolsetList.error,
  };
  const errors = (useResource(apps, app).data?.validationErrors ?? []).map(parseValidationError);
  const dialog = {
    app,
    onClose: () => setCreating(undefined),
    onCreated: ({ name }: { readonly name: string }) => void navigate({ to: pagePath(name) }),
  };
  return (
    <>
      <ListPage
        notice={<LockedNotice name={app} />}
        title="Tools"
        list={list}
        rows="tools"
        find={textOf}
        actions={
          may("ces.toolsets.create") && (
            <Button onPress={() => setCreating("toolset")}>
              <Plus size={16} aria-hidden="true" /> Create toolset
            </Button>
          )
        }
        create={may("ces.tools.create") ? { label: "Create tool", onPress: () => setCreating("tool") } : undefined}
        empty={{
          title: "No tools yet",
          text: "A tool lets an agent look up data or perform an action. A Python function is the quickest way to start.",
        }}
      >
        {(rows) => <ToolTable rows={rows} errors={errors} />}
      </ListPage>
      {creating === "tool" && <CreateToolDialog {...dialog} />}
      {creating === "toolset" && <CreateToolsetDialog {...dialog} />}
    </>
  );
}

/** What is searched of a tool: also its code and its schema. */
function textOf(row: Tool | Toolset): string {
  if (!("toolType" in row)) return `${resourceTitle(row)} ${row.description} ${toolTypeLabel(row.toolsetType.case)}`;
  const { case: type, value } = row.toolType;
  const code = type === "pythonFunction" ? value.pythonCode : type === "openApiTool" ? value.openApiSchema : "";
  return `${resourceTitle(row)} ${toolTypeLabel(type)} ${toolDescription(value)} ${code}`;
}

interface ToolTableProps {
  readonly rows: readonly (Tool | Toolset)[];
  readonly errors: readonly ValidationError[];
}

function ToolTable({ rows, errors }: ToolTableProps) {
  return (
    <Table
      label="Tools and toolsets"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { id: "name", heading: "Name", cell: (row) => <Link to={pagePath(row.name)}>{resourceTitle(row)}</Link> },
        {
          id: "type",
          heading: "Type",
          cell: (row) =>
            "toolType" in row ? toolTypeLabel(row.toolType.case) : `${toolTypeLabel(row.toolsetType.case)} (toolset)`,
        },
        {
          id: "description",
          heading: "Description",
          cell: (row) => (
            <span className="clamped">{"toolType" in row ? toolDescription(row.toolType.value) : row.description}</span>
          ),
        },
        {
          id: "status",
          heading: "Status",
          cell: (row) => {
            const subject = `${"toolType" in row ? "Tool" : "Toolset"} '${resourceTitle(row)}'`;
            const own = errors.filter((error) => error.subject === subject);
            return <ValidationBadge sentences={own.map(({ text }) => text)} />;
          },
        },
      ]}
    />
  );
}
