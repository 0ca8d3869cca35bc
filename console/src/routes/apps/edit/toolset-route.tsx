import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName } from "../../../api/app-name.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { toolsets } from "../../../api/kinds/toolsets.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResource } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { parseProblem } from "../../../features/resources/problem.ts";
import { ProblemList } from "../../../features/resources/problem-list.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";
import { kindLabel } from "../../../features/tools/tool-kinds.ts";
import { OperationsView } from "../../../features/toolsets/operations-view.tsx";

/** One toolset: where its tools come from, and which they are. */
export function ToolsetRoute() {
  const { project = "", location = "", app = "", toolset = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceScreen kind={toolsets} name={`${parent}/toolsets/${toolset}`}>
      {(draft) => <ToolsetPage draft={draft} app={parent} />}
    </ResourceScreen>
  );
}

function ToolsetPage({ draft, app }: { readonly draft: Draft<Toolset>; readonly app: string }) {
  const navigate = useNavigate();
  const { value, set, server } = draft;
  const subject = `Toolset '${titleOf(server)}'`;
  const problems = (useResource(apps, app).data?.validationErrors ?? [])
    .map(parseProblem)
    .filter((problem) => problem.subject === subject);
  const form = (only: readonly string[]) => (
    <MessageForm desc={ToolsetSchema} value={value} onChange={set} only={only} />
  );
  return (
    <EditPage
      kind={toolsets}
      draft={draft}
      tabs={[
        { id: "operations", label: "Operations", content: <OperationsView toolset={server} /> },
        { id: "source", label: "Source", content: form(["display_name", "description", "toolset_type"]) },
        { id: "settings", label: "Settings", content: form(["execution_type", "timeout", "tool_fake_config"]) },
      ]}
      actions={<Badge>{kindLabel(server.toolsetType.case)}</Badge>}
      notes={<ProblemList problems={problems.map((problem) => ({ problem }))} />}
      onDeleted={() => void navigate({ to: `${addressOf(app)}/tools`, ignoreBlocker: true })}
    />
  );
}
