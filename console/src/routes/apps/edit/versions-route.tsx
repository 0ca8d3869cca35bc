import { create } from "@bufbuild/protobuf";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { versions } from "../../../api/kinds/versions.ts";
import { toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResources } from "../../../api/use-resources.ts";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Field } from "../../../components/field.tsx";
import { Moment } from "../../../components/moment.tsx";
import { Page } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { CreateDialog } from "../../../features/resources/create-dialog.tsx";
import { useAppName } from "../use-app-name.ts";

/** The versions of an app: what was frozen, when and by whom. */
export function VersionsRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const [description, setDescription] = useState("");
  const list = useResources(versions, app);
  return (
    <Page
      title="Versions"
      actions={
        <Button tone="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden="true" /> New version
        </Button>
      }
    >
      {list.error && <Banner tone="bad" refusal={toRefusal(list.error)} />}
      {list.isPending && <Busy>Reading the versions</Busy>}
      {list.data?.length === 0 && (
        <EmptyState
          title="No version yet"
          action={<Button onPress={() => setCreating(true)}>Freeze the first version</Button>}
        >
          A version freezes the app as it is now. Deployments run versions, so that work on the draft disturbs nobody.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <Table
          label="Versions"
          rows={list.data}
          keyOf={({ name }) => name}
          columns={[
            { id: "name", heading: "Name", cell: (row) => <Link to={addressOf(row.name)}>{titleOf(row)}</Link> },
            {
              id: "description",
              heading: "Description",
              cell: (row) => <span className="clamped">{row.description}</span>,
            },
            { id: "creator", heading: "Made by", cell: ({ creator }) => creator },
            { id: "time", heading: "When", cell: ({ createTime }) => <Moment time={createTime} /> },
          ]}
        />
      )}
      {creating && (
        <CreateDialog
          kind={versions}
          parent={app}
          title="New version"
          make={(displayName) => create(AppVersionSchema, { displayName, description })}
          onCreated={({ name }) => void navigate({ to: addressOf(name) })}
          onClose={() => setCreating(false)}
        >
          <Field
            label="Description"
            lines={2}
            value={description}
            onChange={setDescription}
            hint="What is new in it."
          />
        </CreateDialog>
      )}
    </Page>
  );
}
