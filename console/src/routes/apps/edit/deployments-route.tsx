import { create } from "@bufbuild/protobuf";
import { ChannelProfile_ChannelType } from "@frontdesk/protos/ces/common";
import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { deployments } from "../../../api/kinds/deployments.ts";
import { versions } from "../../../api/kinds/versions.ts";
import { toRefusal } from "../../../api/refusal.ts";
import { addressOf, titleOf } from "../../../api/resource-address.ts";
import { useResources } from "../../../api/use-resources.ts";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Pick } from "../../../components/field.tsx";
import { Moment } from "../../../components/moment.tsx";
import { Page } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { CHANNELS, channelProfile, versionChoices } from "../../../features/deployments/channels.ts";
import { inWords } from "../../../features/message-form/words.ts";
import { CreateDialog } from "../../../features/resources/create-dialog.tsx";
import { useAppName } from "../use-app-name.ts";

/** The deployments of an app: which version answers on which channel. */
export function DeploymentsRoute() {
  const app = useAppName();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const [version, setVersion] = useState("");
  const [channel, setChannel] = useState(String(ChannelProfile_ChannelType.API));
  const list = useResources(deployments, app);
  const choices = versionChoices(app, useResources(versions, app).data ?? []);
  const versionName = ({ appVersion, experimentConfig }: Deployment) => {
    const parts = experimentConfig?.versionRelease?.trafficAllocations ?? [];
    const name = (value: string) => choices.find((choice) => choice.value === value)?.label ?? value;
    return parts.length === 0
      ? name(appVersion)
      : parts.map(({ appVersion: part, trafficPercentage }) => `${name(part)} ${trafficPercentage} %`).join(", ");
  };
  return (
    <Page
      title="Deployments"
      actions={
        <Button tone="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden="true" /> New deployment
        </Button>
      }
    >
      {list.error && <Banner tone="bad" refusal={toRefusal(list.error)} />}
      {list.isPending && <Busy>Reading the deployments</Busy>}
      {list.data?.length === 0 && (
        <EmptyState
          title="No deployment yet"
          action={<Button onPress={() => setCreating(true)}>Create the first deployment</Button>}
        >
          A deployment gives a channel (a page, a phone line, your program) one version of the app, or several with a
          share each.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <Table
          label="Deployments"
          rows={list.data}
          keyOf={({ name }) => name}
          columns={[
            { id: "name", heading: "Name", cell: (row) => <Link to={addressOf(row.name)}>{titleOf(row)}</Link> },
            { id: "version", heading: "Runs", cell: versionName },
            {
              id: "channel",
              heading: "Channel",
              cell: ({ channelProfile: profile }) =>
                inWords(ChannelProfile_ChannelType[profile?.channelType ?? 0] ?? ""),
            },
            { id: "time", heading: "Changed", cell: ({ updateTime }) => <Moment time={updateTime} /> },
          ]}
        />
      )}
      {creating && (
        <CreateDialog
          kind={deployments}
          parent={app}
          title="New deployment"
          make={(displayName) =>
            create(DeploymentSchema, {
              displayName,
              appVersion: version || (choices[0]?.value ?? ""),
              channelProfile: channelProfile(Number(channel)),
            })
          }
          onCreated={({ name }) => void navigate({ to: addressOf(name) })}
          onClose={() => setCreating(false)}
        >
          <Pick label="Version" value={version || (choices[0]?.value ?? "")} choices={choices} onChange={setVersion} />
          <Pick label="Channel" value={channel} choices={CHANNELS} onChange={setChannel} />
        </CreateDialog>
      )}
    </Page>
  );
}
