import { create } from "@bufbuild/protobuf";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { ToolsetToolSchema } from "@frontdesk/protos/ces/toolset_tool";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Table } from "../../components/table.tsx";
import { toolDescription } from "../agents/use-names.ts";
import { TestPanel } from "../tools/test-panel.tsx";
import { toolsetQuery } from "./use-toolset-tools.ts";

/** The operations of a toolset as the server finds them, and a run of one. */
export function OperationsView({ toolset }: { readonly toolset: Toolset }) {
  const query = toolsetQuery(toolset.name, toolset.etag);
  const found = useQuery(query);
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string>();
  const tools = found.data ?? [];
  const resourceId = (tool: Tool) => operationId(toolset, tool);
  return (
    <div className="stack">
      <div className="row">
        <Button small onPress={() => void queries.invalidateQueries({ queryKey: query.queryKey })}>
          <RefreshCw size={14} aria-hidden="true" /> Refresh
        </Button>
      </div>
      {found.isPending && <Loading>Loading operations…</Loading>}
      {found.error && <Banner tone="error" error={toStatusError(found.error)} />}
      {found.data && tools.length === 0 && (
        <EmptyState title="No operations">The schema or server has no operations that can be called.</EmptyState>
      )}
      {tools.length > 0 && (
        <Table
          label="Operations"
          rows={tools}
          keyOf={({ displayName, name }) => name + displayName}
          columns={[
            { id: "name", heading: "Name", cell: ({ displayName }) => <code>{displayName}</code> },
            {
              id: "description",
              heading: "Description",
              cell: ({ toolType }) => <span className="clamped">{toolDescription(toolType.value)}</span>,
            },
            {
              id: "run",
              heading: "Test",
              cell: (tool) => (
                <Button small onPress={() => setChosen(resourceId(tool))}>
                  Run {resourceId(tool)}
                </Button>
              ),
            },
          ]}
        />
      )}
      {chosen !== undefined && (
        <TestPanel
          key={chosen}
          etag={toolset.etag}
          tool={{ case: "toolsetTool", value: create(ToolsetToolSchema, { toolset: toolset.name, toolId: chosen }) }}
        />
      )}
    </div>
  );
}

/** The id by which a toolset knows one of its tools: its name without the toolset's own. */
function operationId({ displayName }: Toolset, tool: Tool): string {
  const prefix = `${displayName.replaceAll("-", "_")}_`;
  return tool.displayName.startsWith(prefix) ? tool.displayName.slice(prefix.length) : tool.displayName;
}
