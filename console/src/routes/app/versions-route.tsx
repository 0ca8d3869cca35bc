import { create } from "@bufbuild/protobuf";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { useState } from "react";
import { versions } from "../../api/resource-types.ts";
import { DateTime } from "../../components/date-time.tsx";
import { TextField } from "../../components/field.tsx";
import { ResourceList } from "../../features/resources/resource-list.tsx";
import { useAppName } from "./use-app-name.ts";

/** The versions of an app: immutable snapshots, with who created them and when. */
export function VersionsRoute() {
  const [description, setDescription] = useState("");
  return (
    <ResourceList
      kind={versions}
      app={useAppName()}
      title="Versions"
      empty={{
        title: "No versions yet",
        text: "A version is an immutable snapshot of the draft. Deployments run versions, so you can edit the draft without affecting users.",
      }}
      columns={[
        { id: "creator", heading: "Created by", cell: ({ creator }) => creator },
        { id: "time", heading: "Created", cell: ({ createTime }) => <DateTime time={createTime} /> },
      ]}
      make={(displayName) => create(AppVersionSchema, { displayName, description })}
      fields={
        <TextField
          label="Description"
          lines={2}
          value={description}
          onChange={setDescription}
          hint="What changed in this version."
        />
      }
    />
  );
}
