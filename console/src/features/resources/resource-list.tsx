import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { permissionOf, useMay } from "../../api/permissions.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { ListPage } from "../../components/list-page.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { LockedNotice } from "./locked-notice.tsx";

/** A resource of an app that has a description. */
type Described = Resource & { readonly description: string };

interface ResourceListProps<Kind extends Described> {
  readonly kind: Pick<ResourceType<Kind>, "collection" | "singular" | "field" | "list" | "get" | "create">;
  readonly app: string;
  /** Heading of the page, e.g. "Examples". */
  readonly title: string;
  readonly empty: { readonly title: string; readonly text: string };
  /** Columns after name and description. */
  readonly columns: readonly TableColumn<Kind>[];
  /** A new resource of this display name. */
  readonly make: (displayName: string) => Kind;
  /** Fields of the dialog that creates one, after its name. */
  readonly fields?: ReactNode;
}

/** What is searched of a resource. */
const textOf = (resource: Described) => `${resourceTitle(resource)} ${resource.description}`;

/** The page of a collection of an app: a table whose names link to the pages of the resources, and a dialog that creates one. */
export function ResourceList<Kind extends Described>(props: ResourceListProps<Kind>) {
  const { kind, app, title, empty, columns, make, fields } = props;
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const mayCreate = useMay(app)(permissionOf(kind.collection, "create"));
  const action = `Create ${kind.singular}`;
  return (
    <>
      <ListPage
        notice={<LockedNotice name={app} />}
        title={title}
        list={useResources(kind, app)}
        rows={title.toLowerCase()}
        create={mayCreate ? { label: action, onPress: () => setCreating(true) } : undefined}
        empty={empty}
        find={textOf}
      >
        {(rows) => (
          <Table
            label={title}
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              {
                id: "name",
                heading: "Name",
                cell: (row) => (
                  <Link to={pagePath(row.name)} className="cell-name">
                    {resourceTitle(row)}
                  </Link>
                ),
              },
              {
                id: "description",
                heading: "Description",
                cell: ({ description }) => <span className="clamped">{description}</span>,
              },
              ...columns,
            ]}
          />
        )}
      </ListPage>
      {creating && (
        <CreateDialog
          kind={kind}
          parent={app}
          title={action}
          make={make}
          onCreated={({ name }) => void navigate({ to: pagePath(name) })}
          onClose={() => setCreating(false)}
        >
          {fields}
        </CreateDialog>
      )}
    </>
  );
}
