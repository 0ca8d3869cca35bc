import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName } from "../../../api/app-name.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { tools } from "../../../api/kinds/tools.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResource } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { useNames } from "../../../features/agents/use-names.ts";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { codeProblems, parseProblem } from "../../../features/resources/problem.ts";
import { ProblemList } from "../../../features/resources/problem-list.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";
import { PythonView } from "../../../features/tools/python-view.tsx";
import { RunPanel } from "../../../features/tools/run-panel.tsx";
import { kindLabel } from "../../../features/tools/tool-kinds.ts";

/** One tool: what it is, how it is called, and a run of it. */
export function ToolRoute() {
  const { project = "", location = "", app = "", tool = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceScreen kind={tools} name={`${parent}/tools/${tool}`}>
      {(draft) => <ToolPage draft={draft} app={parent} />}
    </ResourceScreen>
  );
}

/** What every tool has beside its kind. */
const COMMON = ["execution_type", "timeout", "tool_fake_config"];

function ToolPage({ draft, app }: { readonly draft: Draft<Tool>; readonly app: string }) {
  const navigate = useNavigate();
  const names = useNames(app);
  const subject = `Tool '${titleOf(draft.server)}'`;
  const problems = (useResource(apps, app).data?.validationErrors ?? [])
    .map(parseProblem)
    .filter((problem) => problem.subject === subject);
  const { value, set, server } = draft;
  const isPython = value.toolType.case === "pythonFunction";
  const own = isPython ? (
    <PythonView
      tool={value}
      onChange={set}
      problems={codeProblems(problems, "python_function", subject)}
      names={names}
    />
  ) : (
    <MessageForm desc={ToolSchema} value={value} onChange={set} only={["tool_type"]} />
  );
  const run = (
    <RunPanel
      tool={{ case: "tool", value: server.name }}
      etag={server.etag}
      unsaved={draft.changed.length > 0}
      save={draft.save}
    />
  );
  const elsewhere = problems.filter(({ path }) => path !== "python_function");
  return (
    <EditPage
      kind={tools}
      draft={draft}
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
      actions={<Badge>{kindLabel(server.toolType.case)}</Badge>}
      notes={<ProblemList problems={elsewhere.map((problem) => ({ problem }))} />}
      onDeleted={() => void navigate({ to: `${addressOf(app)}/tools`, ignoreBlocker: true })}
    />
  );
}
