import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName, pagePath, resourceTitle } from "../../api/resource-names.ts";
import { apps, toolsets } from "../../api/resource-types.ts";
import { useResource } from "../../api/use-resources.ts";
import { Badge } from "../../components/badge.tsx";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { parseValidationError } from "../../features/resources/validation-error.ts";
import { ValidationErrorList } from "../../features/resources/validation-error-list.tsx";
import { toolTypeLabel } from "../../features/tools/tool-types.ts";
import { OperationsView } from "../../features/toolsets/operations-view.tsx";

/** One toolset: where its tools come from, and which they are. */
export function ToolsetRoute() {
  const { project = "", location = "", app = "", toolset = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceLoader kind={toolsets} name={`${parent}/toolsets/${toolset}`}>
      {(editor) => <ToolsetPage editor={editor} app={parent} />}
    </ResourceLoader>
  );
}

function ToolsetPage({ editor, app }: { readonly editor: ResourceEditor<Toolset>; readonly app: string }) {
  const navigate = useNavigate();
  const { value, set, server } = editor;
  const subject = `Toolset '${resourceTitle(server)}'`;
  const problems = (useResource(apps, app).data?.validationErrors ?? [])
    .map(parseValidationError)
    .filter((problem) => problem.subject === subject);
  const form = (only: readonly string[]) => (
    <MessageForm desc={ToolsetSchema} value={value} onChange={set} only={only} />
  );
  return (
    <EditPage
      kind={toolsets}
      editor={editor}
      tabs={[
        { id: "operations", label: "Operations", content: <OperationsView toolset={server} /> },
        { id: "source", label: "Source", content: form(["display_name", "description", "toolset_type"]) },
        { id: "settings", label: "Settings", content: form(["execution_type", "timeout", "tool_fake_config"]) },
      ]}
      actions={<Badge>{toolTypeLabel(server.toolsetType.case)}</Badge>}
      notes={<ValidationErrorList problems={problems.map((problem) => ({ problem }))} />}
      onDeleted={() => void navigate({ to: `${pagePath(app)}/tools`, ignoreBlocker: true })}
    />
  );
}
