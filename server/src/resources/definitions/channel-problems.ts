import type { App } from "@frontdesk/protos/ces/app";
import {
  type ChannelProfile,
  ChannelProfile_ChannelType as ChannelType,
  ChannelProfile_WebWidgetConfig_Modality as Modality,
} from "@frontdesk/protos/ces/common";
import { DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { idOf } from "#aip";
import type { AppView } from "../define-resource.ts";
import { modalityProblem } from "../deployment-modality.ts";

/** Channels that reach this server without a gateway: clients of the API, and the widget. */
const SERVED: ReadonlySet<ChannelType> = new Set([ChannelType.UNKNOWN, ChannelType.WEB_UI, ChannelType.API]);

/** Settings of an app's channels without effect here, one sentence each with the fix (WIRE-40). */
export function channelProblems({ defaultChannelProfile }: App, state: AppView): readonly string[] {
  const deployments = state.list(DeploymentSchema).flatMap((deployment) => {
    const { name, displayName, channelProfile, modality, agentRegistryDeployment } = deployment;
    const subject = `Deployment '${displayName || idOf(name)}'`;
    const problem = modalityProblem(modality);
    return [
      ...profileProblems(channelProfile).map((text) => `${subject}, channel_profile.${text}`),
      ...(problem ? [`${subject}, ${problem}`] : []),
      ...(agentRegistryDeployment ? [`${subject}, ${NO_REGISTRY}`] : []),
    ];
  });
  return [
    ...profileProblems(defaultChannelProfile).map((problem) => `default_channel_profile.${problem}`),
    ...deployments,
  ];
}

const NO_REGISTRY =
  "agent_registry_deployment: there is no registry of agents here; give its clients the address of the deployment's agent card.";

function profileProblems(profile: ChannelProfile | undefined): readonly string[] {
  if (!profile) return [];
  const { channelType, webWidgetConfig, whatsappConfig, instagramConfig, noiseSuppressionLevel } = profile;
  const { modality = Modality.MODALITY_UNSPECIFIED, securitySettings } = webWidgetConfig ?? {};
  const problems: string[] = [];
  const gateway = "connect a gateway that calls RunSession or BidiRunSession with the deployment";
  if (!SERVED.has(channelType))
    problems.push(
      `channel_type: nothing of the channel ${ChannelType[channelType]} arrives here by itself; ${gateway}, or use WEB_UI or API.`,
    );
  if (whatsappConfig) problems.push(`whatsapp_config: this server has no connection to WhatsApp; ${gateway}.`);
  if (instagramConfig) problems.push(`instagram_config: this server has no connection to Instagram; ${gateway}.`);
  if (noiseSuppressionLevel !== "")
    problems.push("noise_suppression_level: sound is not filtered here; leave it empty, or filter before it is sent.");
  if (modality !== Modality.MODALITY_UNSPECIFIED && modality !== Modality.CHAT_ONLY)
    problems.push(
      `web_widget_config.modality: the widget is by text only; use CHAT_ONLY, or a client of your own over BidiRunSession for voice.`,
    );
  if (securitySettings?.enableRecaptcha)
    problems.push(
      "web_widget_config.security_settings.enable_recaptcha: this server cannot verify reCAPTCHA, so it issues no chat token; disable it.",
    );
  if (securitySettings && !securitySettings.enablePublicAccess)
    problems.push(
      "web_widget_config.security_settings.enable_public_access: is off, but this server authenticates nobody, so every allowed page gets a chat token; put your own authentication in front of it, or set enable_public_access.",
    );
  return problems;
}
