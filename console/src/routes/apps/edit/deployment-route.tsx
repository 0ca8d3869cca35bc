import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName } from "../../../api/app-name.ts";
import { deployments } from "../../../api/kinds/deployments.ts";
import { versions } from "../../../api/kinds/versions.ts";
import { addressOf } from "../../../api/resource-address.ts";
import { useResources } from "../../../api/use-resources.ts";
import { versionChoices } from "../../../features/deployments/channels.ts";
import { TrafficView } from "../../../features/deployments/traffic-view.tsx";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";

/** One deployment: what it runs, and its channel. */
export function DeploymentRoute() {
  const { project = "", location = "", app = "", deployment = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceScreen kind={deployments} name={`${parent}/deployments/${deployment}`}>
      {(draft) => <DeploymentPage draft={draft} app={parent} />}
    </ResourceScreen>
  );
}

const TRAFFIC = ["app_version", "experiment_config"];

function DeploymentPage({ draft, app }: { readonly draft: Draft<Deployment>; readonly app: string }) {
  const navigate = useNavigate();
  const choices = versionChoices(app, useResources(versions, app).data ?? []);
  const { value, set } = draft;
  return (
    <EditPage
      kind={deployments}
      draft={draft}
      tabs={[
        {
          id: "traffic",
          label: "Traffic",
          content: <TrafficView deployment={value} onChange={set} versions={choices} />,
        },
        {
          id: "channel",
          label: "Channel",
          content: <MessageForm desc={DeploymentSchema} value={value} onChange={set} except={TRAFFIC} />,
        },
      ]}
      onDeleted={() => void navigate({ to: `${addressOf(app)}/deployments`, ignoreBlocker: true })}
    />
  );
}
