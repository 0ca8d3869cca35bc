import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName, pagePath, resourceTitle } from "../../api/resource-names.ts";
import { apps, tools } from "../../api/resource-types.ts";
import { useResource } from "../../api/use-resources.ts";
import { Badge } from "../../components/badge.tsx";
import { useNames } from "../../features/agents/use-names.ts";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { codeProblemsAt, parseValidationError } from "../../features/resources/validation-error.ts";
import { ValidationErrorList } from "../../features/resources/validation-error-list.tsx";
import { GiveTool } from "../../features/tools/give-tool.tsx";
import { PythonView } from "../../features/tools/python-view.tsx";
import { TestPanel } from "../../features/tools/test-panel.tsx";
import { toolTypeLabel } from "../../features/tools/tool-types.ts";

/** One tool: what it is, how it is called, and a run of it. */
export function ToolRoute() {
  const { project = "", location = "", app = "", tool = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceLoader kind={tools} name={`${parent}/tools/${tool}`}>
      {(editor) => <ToolPage editor={editor} app={parent} />}
    </ResourceLoader>
  );
}

/** What every tool has beside its kind. */
const COMMON = ["execution_type", "timeout", "tool_fake_config"];

function ToolPage({ editor, app }: { readonly editor: ResourceEditor<Tool>; readonly app: string }) {
  const navigate = useNavigate();
  const names = useNames(app);
  const subject = `Tool '${resourceTitle(editor.server)}'`;
  const problems = (useResource(apps, app).data?.validationErrors ?? [])
    .map(parseValidationError)
    .filter((problem) => problem.subject === subject);
  const { value, set, server } = editor;
  const isPython = value.toolType.case === "pythonFunction";
  const own = isPython ? (
    <PythonView
      tool={value}
      onChange={set}
      problems={codeProblemsAt(problems, "python_function", subject)}
      names={names}
    />
  ) : (
    <MessageForm desc={ToolSchema} value={value} onChange={set} only={["tool_type"]} />
  );
  const run = (
    <TestPanel
      tool={{ case: "tool", value: server.name }}
      etag={server.etag}
      unsaved={editor.changed.length > 0}
      save={editor.save}
    />
  );
  const elsewhere = problems.filter(({ path }) => path !== "python_function");
  return (
    <EditPage
      kind={tools}
      editor={editor}
      tabs={[
        {
          id: "tool",
          label: isPython ? "Code" : "Tool",
          content: (
            <div className="stack">
              {own}
              {run}
            </div>
          ),
        },
        {
          id: "settings",
          label: "Settings",
          content: <MessageForm desc={ToolSchema} value={value} onChange={set} only={COMMON} />,
        },
      ]}
      actions={<Badge>{toolTypeLabel(server.toolType.case)}</Badge>}
      notes={<ValidationErrorList problems={elsewhere.map((problem) => ({ problem }))} />}
      uses={<GiveTool app={app} tool={server.name} />}
      onDeleted={() => void navigate({ to: `${pagePath(app)}/tools`, ignoreBlocker: true })}
    />
  );
}
