import { create } from "@bufbuild/protobuf";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { examples } from "../../../api/kinds/examples.ts";
import { toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResources } from "../../../api/use-resources.ts";
import { Badge } from "../../../components/badge.tsx";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Page } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { CreateDialog } from "../../../features/resources/create-dialog.tsx";
import { useAppName } from "../use-app-name.ts";

/** Conversations written by hand that show the model how it should go. */
export function ExamplesRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const list = useResources(examples, app);
  return (
    <Page
      title="Examples"
      actions={
        <Button tone="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden="true" /> New example
        </Button>
      }
    >
      {list.error && <Banner tone="bad" refusal={toRefusal(list.error)} />}
      {list.isPending && <Busy>Reading the examples</Busy>}
      {list.data?.length === 0 && (
        <EmptyState
          title="No example yet"
          action={<Button onPress={() => setCreating(true)}>Create the first example</Button>}
        >
          An example is a short conversation as it should go. The model sees it beside the instruction.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <Table
          label="Examples"
          rows={list.data}
          keyOf={({ name }) => name}
          columns={[
            { id: "name", heading: "Name", cell: (row) => <Link to={addressOf(row.name)}>{titleOf(row)}</Link> },
            {
              id: "description",
              heading: "Description",
              cell: ({ description }) => <span className="clamped">{description}</span>,
            },
            { id: "messages", heading: "Messages", number: true, cell: ({ messages }) => messages.length },
            {
              id: "state",
              heading: "State",
              cell: ({ invalid }) =>
                invalid ? (
                  <Badge tone="warning">Names something that is gone</Badge>
                ) : (
                  <Badge tone="good">In use</Badge>
                ),
            },
          ]}
        />
      )}
      {creating && (
        <CreateDialog
          kind={examples}
          parent={app}
          title="New example"
          make={(displayName) => create(ExampleSchema, { displayName })}
          onCreated={({ name }) => void navigate({ to: addressOf(name) })}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}
