import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { guardrails } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { ListPage } from "../../components/list-page.tsx";
import { Table } from "../../components/table.tsx";
import { CreateGuardrailDialog } from "../../features/guardrails/create-guardrail-dialog.tsx";
import { GuardrailStatus } from "../../features/guardrails/guardrail-status.tsx";
import { guardrailTypeLabel } from "../../features/guardrails/guardrail-types.ts";
import { useGuardrailScopes } from "../../features/guardrails/use-guardrail-scopes.ts";
import { LockedNotice } from "../../features/resources/locked-notice.tsx";
import { parseValidationError } from "../../features/resources/validation-error.ts";
import { useAppName } from "./use-app-name.ts";

/** What is searched of a guardrail. */
const textOf = (guardrail: Guardrail) =>
  `${resourceTitle(guardrail)} ${guardrail.description} ${guardrailTypeLabel(guardrail.guardrailType.case)}`;

/** The guardrails of an app: what they check, and for which agents. */
export function GuardrailsRoute() {
  const app = useAppName();
  const may = useMay(app);
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const { found, scopeOf } = useGuardrailScopes(app);
  const errors = (found?.validationErrors ?? []).map(parseValidationError);
  return (
    <>
      <ListPage
        notice={<LockedNotice name={app} />}
        title="Guardrails"
        list={useResources(guardrails, app)}
        rows="guardrails"
        find={textOf}
        create={
          may("ces.guardrails.create") ? { label: "Create guardrail", onPress: () => setCreating(true) } : undefined
        }
        empty={{
          title: "No guardrails yet",
          text: "A guardrail checks what users and agents say, and can respond, transfer to an agent, or prompt the model again.",
        }}
      >
        {(rows) => (
          <Table
            label="Guardrails"
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { id: "name", heading: "Name", cell: (row) => <Link to={pagePath(row.name)}>{resourceTitle(row)}</Link> },
              { id: "type", heading: "Type", cell: ({ guardrailType }) => guardrailTypeLabel(guardrailType.case) },
              {
                id: "scope",
                heading: "Applies to",
                cell: ({ name }) => scopeOf(name) || <span className="muted">No agent</span>,
              },
              {
                id: "status",
                heading: "Status",
                cell: (row) => (
                  <GuardrailStatus
                    enabled={row.enabled}
                    scope={scopeOf(row.name)}
                    sentences={errors
                      .filter(({ subject }) => subject === `Guardrail '${resourceTitle(row)}'`)
                      .map(({ text }) => text)}
                  />
                ),
              },
            ]}
          />
        )}
      </ListPage>
      {creating && (
        <CreateGuardrailDialog
          app={app}
          onCreated={({ name }) => void navigate({ to: pagePath(name) })}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
