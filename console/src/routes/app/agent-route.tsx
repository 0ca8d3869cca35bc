import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName, pagePath } from "../../api/resource-names.ts";
import { agents, apps, toolsets } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";
import { Badge } from "../../components/badge.tsx";
import { tabOfAgentField } from "../../features/agents/agent-tabs.ts";
import { CallbacksView } from "../../features/agents/callbacks-view.tsx";
import { InstructionView } from "../../features/agents/instruction-view.tsx";
import { ToolsView } from "../../features/agents/tools-view.tsx";
import { useNames } from "../../features/agents/use-names.ts";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { parseValidationError } from "../../features/resources/validation-error.ts";
import { ValidationErrorList } from "../../features/resources/validation-error-list.tsx";

/** One agent: instruction, tools, callbacks, transfers, guardrails and model. */
export function AgentRoute() {
  const { project = "", location = "", app = "", agent = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceLoader kind={agents} name={`${parent}/agents/${agent}`}>
      {(editor) => <AgentPage editor={editor} app={parent} />}
    </ResourceLoader>
  );
}

function AgentPage({ editor, app }: { readonly editor: ResourceEditor<Agent>; readonly app: string }) {
  const navigate = useNavigate();
  const names = useNames(app);
  const found = useResource(apps, app).data;
  const toolsetList = useResources(toolsets, app).data ?? [];
  const { value, set, server } = editor;
  const problems = server.validationErrors.map(parseValidationError);
  const form = (only: readonly string[]) => <MessageForm desc={AgentSchema} value={value} onChange={set} only={only} />;
  const tabs = [
    {
      id: "instruction",
      label: "Instruction",
      content: <InstructionView agent={value} onChange={set} names={names} checked={found !== undefined} />,
    },
    { id: "tools", label: "Tools", content: <ToolsView agent={value} onChange={set} toolsets={toolsetList} /> },
    {
      id: "callbacks",
      label: "Callbacks",
      content: <CallbacksView agent={value} onChange={set} problems={problems} names={names} />,
    },
    { id: "transfers", label: "Transfers", content: form(["child_agents", "transfer_rules"]) },
    { id: "settings", label: "Guardrails and model", content: form(["guardrails", "model_settings", "agent_type"]) },
  ];
  return (
    <EditPage
      kind={agents}
      editor={editor}
      tabs={tabs}
      actions={found?.rootAgent === server.name ? <Badge tone="success">Root agent</Badge> : undefined}
      notes={
        <ValidationErrorList
          problems={problems.map((problem) => ({
            problem,
            to: pagePath(server.name),
            search: tabOfAgentField(problem),
          }))}
        />
      }
      onDeleted={() => void navigate({ to: `${pagePath(app)}/agents`, ignoreBlocker: true })}
    />
  );
}
