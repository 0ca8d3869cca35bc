import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ChannelProfile_ChannelType as ChannelType } from "@frontdesk/protos/ces/common";
import type { Deployment } from "@frontdesk/protos/ces/deployment";
import { useQueryClient } from "@tanstack/react-query";
import { ExternalLink, Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { SelectField } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { widgetSnippet } from "./snippets.ts";

/** The chat for a page of another site: which deployment, the two lines, and a page that shows it. */
export function WidgetSetup({ app }: { readonly app: string }) {
  const list = useQuery(AgentService.method.listDeployments, { parent: app, pageSize: 100 });
  const [chosen, setChosen] = useState("");
  const deployments = list.data?.deployments ?? [];
  const shown = deployments.find(({ name }) => name === chosen) ?? preferred(deployments);
  if (list.isPending) return <Loading>Loading deployments…</Loading>;
  return (
    <div className="stack">
      {list.error && <Banner tone="error" error={toStatusError(list.error)} />}
      {shown ? (
        <>
          <div className="connect-choice">
            <SelectField
              label="Deployment"
              value={shown.name}
              choices={deployments.map(({ name, displayName }) => ({ value: name, label: displayName || name }))}
              onChange={setChosen}
            />
          </div>
          <CodeBlock text={widgetSnippet(window.location.origin, shown.name)} label="embed code" />
          <OriginRules deployment={shown} />
          <div>
            <a
              className="button"
              target="_blank"
              rel="noreferrer"
              href={`/widget-demo.html?deployment=${encodeURIComponent(shown.name)}`}
            >
              <ExternalLink size={16} aria-hidden="true" /> Open demo page
            </a>
          </div>
        </>
      ) : (
        !list.error && <FirstDeployment app={app} />
      )}
    </div>
  );
}

/** Made for the web before others. */
function preferred(deployments: readonly Deployment[]): Deployment | undefined {
  return deployments.find(({ channelProfile }) => channelProfile?.channelType === ChannelType.WEB_UI) ?? deployments[0];
}

function OriginRules({ deployment }: { readonly deployment: Deployment }) {
  const security = deployment.channelProfile?.webWidgetConfig?.securitySettings;
  if (security?.enableRecaptcha) {
    return (
      <Banner tone="error">
        This deployment requires reCAPTCHA, which this server can't verify, so the widget gets no token. Turn reCAPTCHA
        off in the web widget settings of the deployment.
      </Banner>
    );
  }
  return (
    <p className="muted snippet-note">
      {security?.enableOriginCheck && security.allowedOrigins.length > 0
        ? `The chat can be embedded in pages of ${security.allowedOrigins.join(", ")} and of this server.`
        : "The chat can be embedded in pages of this server and of the origins that the operator allows. To allow your site, add it to the allowed origins of the deployment's web widget and turn on the origin check."}
    </p>
  );
}

function FirstDeployment({ app }: { readonly app: string }) {
  const queries = useQueryClient();
  const may = useMay(app);
  const deploy = useMutation(AgentService.method.createDeployment, {
    onSuccess: () =>
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: AgentService.method.listDeployments, cardinality: "finite" }),
      }),
  });
  const deployment = { displayName: "Web chat", channelProfile: { channelType: ChannelType.WEB_UI } };
  return (
    <div className="stack tight">
      <p>The widget connects to a deployment, and this app has none yet.</p>
      {deploy.error && <Banner tone="error" error={toStatusError(deploy.error)} />}
      {may("ces.deployments.create") && (
        <div>
          <Button
            tone="primary"
            isDisabled={deploy.isPending}
            onPress={() => deploy.mutate({ parent: app, deployment })}
          >
            <Plus size={16} aria-hidden="true" /> {deploy.isPending ? "Creating…" : "Create web deployment"}
          </Button>
        </div>
      )}
    </div>
  );
}
