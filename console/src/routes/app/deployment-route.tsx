import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName, pagePath } from "../../api/resource-names.ts";
import { deployments, versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { versionChoices } from "../../features/deployments/channels.ts";
import { TrafficView } from "../../features/deployments/traffic-view.tsx";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";

/** One deployment: what it runs, and its channel. */
export function DeploymentRoute() {
  const { project = "", location = "", app = "", deployment = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceLoader kind={deployments} name={`${parent}/deployments/${deployment}`}>
      {(editor) => <DeploymentPage editor={editor} app={parent} />}
    </ResourceLoader>
  );
}

const TRAFFIC = ["app_version", "experiment_config"];

function DeploymentPage({ editor, app }: { readonly editor: ResourceEditor<Deployment>; readonly app: string }) {
  const navigate = useNavigate();
  const choices = versionChoices(app, useResources(versions, app).data ?? []);
  const { value, set } = editor;
  return (
    <EditPage
      kind={deployments}
      editor={editor}
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
      onDeleted={() => void navigate({ to: `${pagePath(app)}/deployments`, ignoreBlocker: true })}
    />
  );
}
