import { create } from "@bufbuild/protobuf";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { examples } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { Badge } from "../../components/badge.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Table } from "../../components/table.tsx";
import { CreateDialog } from "../../features/resources/create-dialog.tsx";
import { useAppName } from "./use-app-name.ts";

/** The examples of an app: conversations that show the model how to respond. */
export function ExamplesRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <ListPage
        title="Examples"
        list={useResources(examples, app)}
        rows="examples"
        create={{ label: "Create example", onPress: () => setCreating(true) }}
        empty={{
          title: "No examples yet",
          text: "An example is a short conversation that shows the model how to respond. It is added to the prompt.",
        }}
      >
        {(rows) => (
          <Table
            label="Examples"
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { id: "name", heading: "Name", cell: (row) => <Link to={pagePath(row.name)}>{resourceTitle(row)}</Link> },
              {
                id: "description",
                heading: "Description",
                cell: ({ description }) => <span className="clamped">{description}</span>,
              },
              { id: "messages", heading: "Messages", number: true, cell: ({ messages }) => messages.length },
              {
                id: "status",
                heading: "Status",
                cell: ({ invalid }) =>
                  invalid ? <Badge tone="warning">Invalid reference</Badge> : <Badge tone="success">Valid</Badge>,
              },
            ]}
          />
        )}
      </ListPage>
      {creating && (
        <CreateDialog
          kind={examples}
          parent={app}
          title="Create example"
          make={(displayName) => create(ExampleSchema, { displayName })}
          onCreated={({ name }) => void navigate({ to: pagePath(name) })}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
