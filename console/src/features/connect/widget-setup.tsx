import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ChannelProfile_ChannelType as ChannelType } from "@frontdesk/protos/ces/common";
import type { Deployment } from "@frontdesk/protos/ces/deployment";
import { useQueryClient } from "@tanstack/react-query";
import { ExternalLink, Plus } from "lucide-react";
import { useState } from "react";
import { toRefusal } from "../../api/refusal.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Pick } from "../../components/field.tsx";
import { widgetSnippet } from "./snippets.ts";

/** The chat for a page of another site: which deployment, the two lines, and a page that shows it. */
export function WidgetSetup({ app }: { readonly app: string }) {
  const list = useQuery(AgentService.method.listDeployments, { parent: app, pageSize: 100 });
  const [chosen, setChosen] = useState("");
  const deployments = list.data?.deployments ?? [];
  const shown = deployments.find(({ name }) => name === chosen) ?? preferred(deployments);
  if (list.isPending) return <Busy>Reading the deployments</Busy>;
  return (
    <div className="stack">
      {list.error && <Banner tone="bad" refusal={toRefusal(list.error)} />}
      {shown ? (
        <>
          <div className="connect-choice">
            <Pick
              label="Deployment"
              value={shown.name}
              choices={deployments.map(({ name, displayName }) => ({ value: name, label: displayName || name }))}
              onChange={setChosen}
            />
          </div>
          <CodeBlock text={widgetSnippet(window.location.origin, shown.name)} label="the two lines" />
          <OriginRules deployment={shown} />
          <div>
            <a
              className="button"
              target="_blank"
              rel="noreferrer"
              href={`/widget-demo.html?deployment=${encodeURIComponent(shown.name)}`}
            >
              <ExternalLink size={16} aria-hidden="true" /> See it on a page
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
      <Banner tone="bad">
        This deployment wants reCAPTCHA, which this server cannot verify: the widget gets no token. Switch it off in the
        deployment's web widget settings.
      </Banner>
    );
  }
  return (
    <p className="muted snippet-note">
      {security?.enableOriginCheck && security.allowedOrigins.length > 0
        ? `Pages of ${security.allowedOrigins.join(", ")} and of this server may show the chat.`
        : "Pages of this server may show the chat, and those that the operator allows. Name your site in the allowed origins of the deployment's web widget, with the origin check on, and its pages may as well."}
    </p>
  );
}

function FirstDeployment({ app }: { readonly app: string }) {
  const queries = useQueryClient();
  const deploy = useMutation(AgentService.method.createDeployment, {
    onSuccess: () =>
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: AgentService.method.listDeployments, cardinality: "finite" }),
      }),
  });
  const deployment = { displayName: "Web chat", channelProfile: { channelType: ChannelType.WEB_UI } };
  return (
    <div className="stack tight">
      <p>The widget talks to a deployment, and this app has none yet.</p>
      {deploy.error && <Banner tone="bad" refusal={toRefusal(deploy.error)} />}
      <div>
        <Button tone="primary" isDisabled={deploy.isPending} onPress={() => deploy.mutate({ parent: app, deployment })}>
          <Plus size={16} aria-hidden="true" /> {deploy.isPending ? "Making it …" : "Make one for the web"}
        </Button>
      </div>
    </div>
  );
}
