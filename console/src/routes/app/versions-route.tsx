import { create } from "@bufbuild/protobuf";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { DateTime } from "../../components/date-time.tsx";
import { TextField } from "../../components/field.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Table } from "../../components/table.tsx";
import { CreateDialog } from "../../features/resources/create-dialog.tsx";
import { useAppName } from "./use-app-name.ts";

/** The versions of an app: immutable snapshots, with who created them and when. */
export function VersionsRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const [description, setDescription] = useState("");
  return (
    <>
      <ListPage
        title="Versions"
        list={useResources(versions, app)}
        rows="versions"
        create={{ label: "Create version", onPress: () => setCreating(true) }}
        empty={{
          title: "No versions yet",
          text: "A version is an immutable snapshot of the draft. Deployments run versions, so you can edit the draft without affecting users.",
        }}
      >
        {(rows) => (
          <Table
            label="Versions"
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { id: "name", heading: "Name", cell: (row) => <Link to={pagePath(row.name)}>{resourceTitle(row)}</Link> },
              {
                id: "description",
                heading: "Description",
                cell: (row) => <span className="clamped">{row.description}</span>,
              },
              { id: "creator", heading: "Created by", cell: ({ creator }) => creator },
              { id: "time", heading: "Created", cell: ({ createTime }) => <DateTime time={createTime} /> },
            ]}
          />
        )}
      </ListPage>
      {creating && (
        <CreateDialog
          kind={versions}
          parent={app}
          title="Create version"
          make={(displayName) => create(AppVersionSchema, { displayName, description })}
          onCreated={({ name }) => void navigate({ to: pagePath(name) })}
          onClose={() => setCreating(false)}
        >
          <TextField
            label="Description"
            lines={2}
            value={description}
            onChange={setDescription}
            hint="What changed in this version."
          />
        </CreateDialog>
      )}
    </>
  );
}
