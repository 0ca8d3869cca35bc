import { create } from "@bufbuild/protobuf";
import { ChannelProfile_ChannelType } from "@frontdesk/protos/ces/common";
import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { deployments, versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { DateTime } from "../../components/date-time.tsx";
import { type Choice, SelectField } from "../../components/field.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Table } from "../../components/table.tsx";
import { CHANNELS, channelProfile, versionChoices } from "../../features/deployments/channels.ts";
import { fieldLabel } from "../../features/message-form/field-labels.ts";
import { CreateDialog } from "../../features/resources/create-dialog.tsx";
import { LockedNotice } from "../../features/resources/locked-notice.tsx";
import { useAppName } from "./use-app-name.ts";

/** The deployments of an app: which version each serves, and on which channel. */
export function DeploymentsRoute() {
  const app = useAppName();
  const may = useMay(app);
  const [creating, setCreating] = useState(false);
  const choices = versionChoices(app, useResources(versions, app).data ?? []);
  return (
    <>
      <ListPage
        notice={<LockedNotice name={app} />}
        title="Deployments"
        list={useResources(deployments, app)}
        rows="deployments"
        find={resourceTitle}
        create={
          may("ces.deployments.create") ? { label: "Create deployment", onPress: () => setCreating(true) } : undefined
        }
        empty={{
          title: "No deployments yet",
          text: "A deployment serves one or more versions of the app on a channel, such as a web page, a phone line or your own program.",
        }}
      >
        {(rows) => (
          <Table
            label="Deployments"
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { id: "name", heading: "Name", cell: (row) => <Link to={pagePath(row.name)}>{resourceTitle(row)}</Link> },
              { id: "version", heading: "Version", cell: (row) => servedVersions(row, choices) },
              {
                id: "channel",
                heading: "Channel",
                cell: ({ channelProfile: profile }) =>
                  fieldLabel(ChannelProfile_ChannelType[profile?.channelType ?? 0] ?? ""),
              },
              { id: "time", heading: "Updated", cell: ({ updateTime }) => <DateTime time={updateTime} /> },
            ]}
          />
        )}
      </ListPage>
      {creating && <CreateDeploymentDialog app={app} choices={choices} onClose={() => setCreating(false)} />}
    </>
  );
}

/** The version of a deployment, or each version of its traffic split with its share. */
function servedVersions({ appVersion, experimentConfig }: Deployment, choices: readonly Choice<string>[]): string {
  const allocations = experimentConfig?.versionRelease?.trafficAllocations ?? [];
  const title = (name: string) => choices.find(({ value }) => value === name)?.label ?? name;
  return allocations.length === 0
    ? title(appVersion)
    : allocations.map((part) => `${title(part.appVersion)} ${part.trafficPercentage}%`).join(", ");
}

interface CreateDeploymentDialogProps {
  readonly app: string;
  readonly choices: readonly Choice<string>[];
  readonly onClose: () => void;
}

function CreateDeploymentDialog({ app, choices, onClose }: CreateDeploymentDialogProps) {
  const navigate = useNavigate();
  const [chosen, setVersion] = useState("");
  const [channel, setChannel] = useState(String(ChannelProfile_ChannelType.API));
  const appVersion = chosen || (choices[0]?.value ?? "");
  return (
    <CreateDialog
      kind={deployments}
      parent={app}
      title="Create deployment"
      make={(displayName) =>
        create(DeploymentSchema, { displayName, appVersion, channelProfile: channelProfile(Number(channel)) })
      }
      onCreated={({ name }) => void navigate({ to: pagePath(name) })}
      onClose={onClose}
    >
      <SelectField label="Version" value={appVersion} choices={choices} onChange={setVersion} />
      <SelectField label="Channel" value={channel} choices={CHANNELS} onChange={setChannel} />
    </CreateDialog>
  );
}
