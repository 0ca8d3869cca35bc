import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName } from "../../../api/app-name.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { guardrails } from "../../../api/kinds/guardrails.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResource } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { guardrailLabel } from "../../../features/guardrails/guardrail-kinds.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { parseProblem } from "../../../features/resources/problem.ts";
import { ProblemList } from "../../../features/resources/problem-list.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";

/** One guardrail: what it looks for, and what happens when it finds it. */
export function GuardrailRoute() {
  const { project = "", location = "", app = "", guardrail = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceScreen kind={guardrails} name={`${parent}/guardrails/${guardrail}`}>
      {(draft) => <GuardrailPage draft={draft} app={parent} />}
    </ResourceScreen>
  );
}

function GuardrailPage({ draft, app }: { readonly draft: Draft<Guardrail>; readonly app: string }) {
  const navigate = useNavigate();
  const { value, set, server } = draft;
  const subject = `Guardrail '${titleOf(server)}'`;
  const problems = (useResource(apps, app).data?.validationErrors ?? [])
    .map(parseProblem)
    .filter((problem) => problem.subject === subject);
  const form = (only: readonly string[]) => (
    <MessageForm desc={GuardrailSchema} value={value} onChange={set} only={only} />
  );
  return (
    <EditPage
      kind={guardrails}
      draft={draft}
      tabs={[
        {
          id: "check",
          label: "What it checks",
          content: form(["display_name", "description", "enabled", "guardrail_type"]),
        },
        { id: "action", label: "What then happens", content: form(["action"]) },
      ]}
      actions={<Badge>{guardrailLabel(server.guardrailType.case)}</Badge>}
      notes={<ProblemList problems={problems.map((problem) => ({ problem }))} />}
      onDeleted={() => void navigate({ to: `${addressOf(app)}/guardrails`, ignoreBlocker: true })}
    />
  );
}
