import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { apps } from "../../../api/kinds/apps.ts";
import { guardrails } from "../../../api/kinds/guardrails.ts";
import { toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResource, useResources } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Page } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { guardrailLabel } from "../../../features/guardrails/guardrail-kinds.ts";
import { NewGuardrail } from "../../../features/guardrails/new-guardrail.tsx";
import { useAppName } from "../use-app-name.ts";

/** The guardrails of an app: what is checked in what is said, and what then happens. */
export function GuardrailsRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const list = useResources(guardrails, app);
  const attached = useResource(apps, app).data?.guardrails ?? [];
  return (
    <Page
      title="Guardrails"
      actions={
        <Button tone="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden="true" /> New guardrail
        </Button>
      }
    >
      {list.error && <Banner tone="bad" refusal={toRefusal(list.error)} />}
      {list.isPending && <Busy>Reading the guardrails</Busy>}
      {list.data?.length === 0 && (
        <EmptyState
          title="No guardrail yet"
          action={<Button onPress={() => setCreating(true)}>Create the first guardrail</Button>}
        >
          A guardrail looks at what users and agents say and steps in: with an answer, a transfer, or another question
          to the model.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && <GuardrailTable rows={list.data} attached={attached} />}
      {creating && (
        <NewGuardrail
          app={app}
          onCreated={({ name }) => void navigate({ to: addressOf(name) })}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}

function GuardrailTable({
  rows,
  attached,
}: {
  readonly rows: readonly Guardrail[];
  readonly attached: readonly string[];
}) {
  return (
    <Table
      label="Guardrails"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { id: "name", heading: "Name", cell: (row) => <Link to={addressOf(row.name)}>{titleOf(row)}</Link> },
        { id: "kind", heading: "Kind", cell: ({ guardrailType }) => guardrailLabel(guardrailType.case) },
        {
          id: "for",
          heading: "For",
          cell: ({ name }) => (attached.includes(name) ? "Every agent" : "Agents that list it"),
        },
        {
          id: "state",
          heading: "State",
          cell: ({ enabled }) => (enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>),
        },
      ]}
    />
  );
}
