import { create } from "@bufbuild/protobuf";
import {
  type Agent,
  type Agent_AgentToolset,
  Agent_AgentToolsetSchema,
  AgentSchema,
} from "@frontdesk/protos/ces/agent";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { useQuery } from "@tanstack/react-query";
import { resourceTitle } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Switch } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { truncate } from "../../components/truncate.ts";
import { MessageForm } from "../message-form/message-form.tsx";
import { ReferenceList } from "../message-form/reference-list.tsx";
import { toolsetQuery } from "../toolsets/use-toolset-tools.ts";
import { toolDescription } from "./use-names.ts";

interface ToolsViewProps {
  readonly agent: Agent;
  readonly onChange: (next: Agent) => void;
  readonly toolsets: readonly Toolset[];
}

/** What an agent may call: tools one by one, and toolsets with all of their tools or a choice of them. */
export function ToolsView({ agent, onChange, toolsets }: ToolsViewProps) {
  const change = (name: string, next: Agent_AgentToolset | undefined) => {
    const rest = agent.toolsets.filter(({ toolset }) => toolset !== name);
    onChange({ ...agent, toolsets: next ? [...rest, next] : rest });
  };
  return (
    <div className="stack">
      <MessageForm desc={AgentSchema} value={agent} onChange={onChange} only={["tools"]} />
      {toolsets.length > 0 && <h2>Toolsets</h2>}
      {toolsets.map((toolset, at) => (
        <ToolsetChoice
          key={toolset.name}
          toolset={toolset}
          path={`toolsets[${at}].tool_ids`}
          chosen={agent.toolsets.find((one) => one.toolset === toolset.name)}
          onChange={(next) => change(toolset.name, next)}
        />
      ))}
    </div>
  );
}

interface ToolsetChoiceProps {
  readonly toolset: Toolset;
  readonly path: string;
  readonly chosen: Agent_AgentToolset | undefined;
  readonly onChange: (next: Agent_AgentToolset | undefined) => void;
}

function ToolsetChoice({ toolset, path, chosen, onChange }: ToolsetChoiceProps) {
  const listed = useQuery({ ...toolsetQuery(toolset.name, toolset.etag), enabled: chosen !== undefined });
  const prefix = `${toolset.displayName.replaceAll("-", "_")}_`;
  const choices = (listed.data ?? []).map((tool) => ({
    value: tool.displayName.startsWith(prefix) ? tool.displayName.slice(prefix.length) : tool.displayName,
    label: tool.displayName,
    description: truncate(toolDescription(tool.toolType.value), 160),
  }));
  return (
    <section className="card stack" aria-label={`Toolset ${resourceTitle(toolset)}`}>
      <div className="row wrap">
        <Switch
          selected={chosen !== undefined}
          onChange={(on) => onChange(on ? create(Agent_AgentToolsetSchema, { toolset: toolset.name }) : undefined)}
        >
          {resourceTitle(toolset)}
        </Switch>
        {chosen && (
          <span className="muted">
            {chosen.toolIds.length === 0 ? "All tools" : `${chosen.toolIds.length} selected`}
          </span>
        )}
      </div>
      {chosen && listed.isPending && <Loading>Loading tools…</Loading>}
      {listed.error && <Banner tone="warning" error={toStatusError(listed.error)} />}
      {chosen && listed.data && (
        <ReferenceList
          label="Tools (none selected means all)"
          choices={choices}
          value={chosen.toolIds}
          onChange={(toolIds) => Array.isArray(toolIds) && onChange({ ...chosen, toolIds })}
          path={path}
        />
      )}
    </section>
  );
}
