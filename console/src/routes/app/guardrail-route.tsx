import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName, pagePath, resourceTitle } from "../../api/resource-names.ts";
import { guardrails } from "../../api/resource-types.ts";
import { Badge } from "../../components/badge.tsx";
import { Banner } from "../../components/banner.tsx";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { GuardrailStatus } from "../../features/guardrails/guardrail-status.tsx";
import { guardrailTypeLabel } from "../../features/guardrails/guardrail-types.ts";
import { useGuardrailScopes } from "../../features/guardrails/use-guardrail-scopes.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { parseValidationError } from "../../features/resources/validation-error.ts";
import { ValidationErrorList } from "../../features/resources/validation-error-list.tsx";

/** One guardrail: what it looks for, and what happens when it finds it. */
export function GuardrailRoute() {
  const { project = "", location = "", app = "", guardrail = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceLoader kind={guardrails} name={`${parent}/guardrails/${guardrail}`}>
      {(editor) => <GuardrailPage editor={editor} app={parent} />}
    </ResourceLoader>
  );
}

function GuardrailPage({ editor, app }: { readonly editor: ResourceEditor<Guardrail>; readonly app: string }) {
  const navigate = useNavigate();
  const { value, set, server } = editor;
  const subject = `Guardrail '${resourceTitle(server)}'`;
  const { found, scopeOf } = useGuardrailScopes(app);
  const scope = scopeOf(server.name);
  const problems = (found?.validationErrors ?? [])
    .map(parseValidationError)
    .filter((problem) => problem.subject === subject);
  const form = (only: readonly string[]) => (
    <MessageForm desc={GuardrailSchema} value={value} onChange={set} only={only} />
  );
  return (
    <EditPage
      kind={guardrails}
      editor={editor}
      tabs={[
        {
          id: "condition",
          label: "Condition",
          content: form(["display_name", "description", "enabled", "guardrail_type"]),
        },
        { id: "action", label: "Action", content: form(["action"]) },
      ]}
      actions={
        <>
          <Badge>{guardrailTypeLabel(server.guardrailType.case)}</Badge>
          <GuardrailStatus enabled={server.enabled} scope={scope} sentences={problems.map(({ text }) => text)} />
        </>
      }
      notes={
        <>
          {scope === "" && (
            <Banner tone="warning">
              This guardrail does not run, because nothing lists it. Select it in the settings of the app for all
              agents, or in the settings of single agents.
            </Banner>
          )}
          <ValidationErrorList problems={problems.map((problem) => ({ problem }))} />
        </>
      }
      onDeleted={() => void navigate({ to: `${pagePath(app)}/guardrails`, ignoreBlocker: true })}
    />
  );
}
