import type { Agent } from "@frontdesk/protos/ces/agent";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName } from "../../../api/app-name.ts";
import { agents } from "../../../api/kinds/agents.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { toolsets } from "../../../api/kinds/toolsets.ts";
import { addressOf } from "../../../api/resource-address.ts";
import { useResource, useResources } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { tabOfAgentField } from "../../../features/agents/agent-tabs.ts";
import { CallbacksView } from "../../../features/agents/callbacks-view.tsx";
import { InstructionView } from "../../../features/agents/instruction-view.tsx";
import { ToolsView } from "../../../features/agents/tools-view.tsx";
import { useNames } from "../../../features/agents/use-names.ts";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { parseProblem } from "../../../features/resources/problem.ts";
import { ProblemList } from "../../../features/resources/problem-list.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";

/** One agent: instruction, tools, callbacks, transfers, guardrails and model. */
export function AgentRoute() {
  const { project = "", location = "", app = "", agent = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceScreen kind={agents} name={`${parent}/agents/${agent}`}>
      {(draft) => <AgentPage draft={draft} app={parent} />}
    </ResourceScreen>
  );
}

function AgentPage({ draft, app }: { readonly draft: Draft<Agent>; readonly app: string }) {
  const navigate = useNavigate();
  const names = useNames(app);
  const found = useResource(apps, app).data;
  const toolsetList = useResources(toolsets, app).data ?? [];
  const { value, set, server } = draft;
  const problems = server.validationErrors.map(parseProblem);
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
      draft={draft}
      tabs={tabs}
      actions={found?.rootAgent === server.name ? <Badge tone="good">Begins conversations</Badge> : undefined}
      notes={
        <ProblemList
          problems={problems.map((problem) => ({
            problem,
            to: addressOf(server.name),
            search: tabOfAgentField(problem),
          }))}
        />
      }
      onDeleted={() => void navigate({ to: `${addressOf(app)}/agents`, ignoreBlocker: true })}
    />
  );
}
