import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../api/permissions.ts";
import { type Binding, type Policy, readPolicy, withMember, withoutMember, writePolicy } from "../api/policies.ts";
import { useProjects } from "../api/projects.ts";
import { resourceTitle } from "../api/resource-names.ts";
import { type StatusError, toStatusError } from "../api/status-error.ts";
import { useApps } from "../api/use-apps.ts";
import { Banner } from "../components/banner.tsx";
import { IconButton } from "../components/button.tsx";
import { SelectField } from "../components/field.tsx";
import { ListPage } from "../components/list-page.tsx";
import { Table, type TableColumn } from "../components/table.tsx";
import { AddMemberDialog } from "../features/access/add-member-dialog.tsx";

/** One member in one role. */
interface Row {
  readonly binding: Binding;
  readonly member: string;
}

/** Who has which role on a project or on an app of it. */
export function MembersRoute() {
  const { on } = useSearch({ strict: false }) as { on?: string };
  const navigate = useNavigate();
  const projects = useProjects();
  const apps = useApps().data ?? [];
  const resource = on ?? projects[0] ?? "";
  const [adding, setAdding] = useState(false);
  const [error, setError] = useState<StatusError>();
  const may = useMay(resource);
  const policy = useQuery({
    queryKey: ["policy", resource],
    queryFn: () => readPolicy(resource),
    enabled: resource !== "",
  });
  const change = async (current: Policy, bindings: readonly Binding[]) => {
    await writePolicy(resource, current, bindings);
    setError(undefined);
    await policy.refetch();
  };
  const remove = (row: Row) => {
    const { data } = policy;
    if (data) change(data, withoutMember(data.bindings ?? [], row.binding, row.member)).catch(report);
  };
  const report = (error: unknown) => {
    setError(toStatusError(error));
    void policy.refetch();
  };
  const mayChange = may(
    resource.includes("/apps/") ? "ces.apps.setIamPolicy" : "resourcemanager.projects.setIamPolicy",
  );
  const choices = [
    ...projects.map((name) => ({ value: name, label: name, description: "The project and everything in it" })),
    ...apps.map((app) => ({ value: app.name, label: resourceTitle(app), description: app.name })),
  ];
  return (
    <>
      <ListPage
        title="Members"
        list={{ data: policy.data && rowsOf(policy.data), isPending: policy.isPending, error: policy.error }}
        rows="members"
        create={mayChange ? { label: "Add member", onPress: () => setAdding(true) } : undefined}
        filter={
          <>
            <SelectField
              label="Of"
              value={resource}
              choices={choices}
              onChange={(next) => void navigate({ to: "/console/members", search: { on: next } as never })}
            />
            {error && <Banner tone="error" error={error} />}
          </>
        }
        empty={{
          title: "No members",
          text: "Nobody was given a role here. Roles on the project, and those in the configuration of the server, hold for its apps too.",
        }}
      >
        {(rows) => (
          <Table
            label="Members"
            rows={rows}
            keyOf={({ binding, member }) => `${binding.role} ${binding.condition?.expression ?? ""} ${member}`}
            columns={columns({ mayChange, remove })}
          />
        )}
      </ListPage>
      {adding && policy.data && (
        <AddMemberDialog
          resource={resource}
          onAdd={(role, member) => change(policy.data, withMember(policy.data.bindings ?? [], role, member))}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

function columns({ mayChange, remove }: { readonly mayChange: boolean; readonly remove: (row: Row) => void }) {
  const all: readonly TableColumn<Row>[] = [
    { id: "member", heading: "Member", cell: ({ member }) => <code>{member}</code> },
    { id: "role", heading: "Role", cell: ({ binding }) => <code>{binding.role}</code> },
    {
      id: "condition",
      heading: "Only if",
      cell: ({ binding: { condition } }) => (condition ? <code>{condition.expression}</code> : "Always"),
    },
    {
      id: "remove",
      heading: "Action",
      cell: (row) =>
        mayChange ? (
          <IconButton small label={`Remove ${row.member} from ${row.binding.role}`} onPress={() => remove(row)}>
            <Trash2 size={16} aria-hidden="true" />
          </IconButton>
        ) : null,
    },
  ];
  return all;
}

function rowsOf({ bindings = [] }: Policy): readonly Row[] {
  return bindings.flatMap((binding) => binding.members.map((member) => ({ binding, member })));
}
