import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ChannelProfile_WebWidgetConfig_SecuritySettings as SecuritySettings } from "@frontdesk/protos/ces/common";
import { type GenerateChatTokenRequest, WidgetService } from "@frontdesk/protos/ces/widget_service";
import { WidgetService as WidgetServiceV1 } from "@frontdesk/protos/ces-v1/widget_service";
import type { Access } from "#access";
import { bearerToken, type ChatTokens } from "#identity";
import type { StandardMethods } from "#resources";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { Code, ConnectError, failedPrecondition, invalidArgument } from "#status";
import { deploymentOf } from "../deployment-of.ts";
import { appOfSession } from "../snapshot-resolver.ts";
import { allowsOrigin, embeddedPage, originNotAllowed } from "./embedded-page.ts";

interface WidgetServiceDeps {
  readonly chatTokens: ChatTokens;
  readonly standard: StandardMethods;
  readonly access: Access;
}

/** Tokens for the chat widget: `google.cloud.ces.v1beta.WidgetService`. */
export function createWidgetService({ chatTokens, standard, access }: WidgetServiceDeps): ServiceRegistration {
  /** Pages that the deployment lists need no credential (IAM-12); who is neither does not learn whether the deployment exists. */
  const settingsFor = async (request: GenerateChatTokenRequest, context: CallContext) => {
    const { name, deployment } = request;
    const mayTalk = await access.may(context, "ces.sessions.runSession", name);
    const found = await deploymentOf(standard, deployment).catch((error: unknown) => {
      if (mayTalk || !(error instanceof ConnectError) || error.code !== Code.NotFound) throw error;
    });
    const settings = found?.channelProfile?.webWidgetConfig?.securitySettings;
    const isForeignPage = context.caller.kind === "anonymous" && embeddedPage(context.headers) !== undefined;
    const isPublic = renewedGrant(request, context)?.isPublic ?? (!mayTalk || isForeignPage);
    if (!mayTalk && !allowsOrigin(settings, context.headers.get("origin") ?? ""))
      await access.require(context, "ces.sessions.runSession", name);
    return { settings, isPublic };
  };

  /** What the token that is renewed grants; undefined without a valid one for the session. A new token opens no more than the old one (WIRE-47). */
  const renewedGrant = ({ name }: GenerateChatTokenRequest, { headers }: CallContext) => {
    const token = bearerToken(headers);
    const grant = token === undefined ? undefined : validGrant(token, chatTokens);
    return grant?.session === name ? { isPublic: grant.isPublic === true } : undefined;
  };

  return defineService(WidgetService, [WidgetServiceV1], {
    async generateChatToken(request, context) {
      const { name, deployment } = request;
      const { headers } = context;
      checkNames(request);
      const { settings, isPublic } = await settingsFor(request, context);
      const origin = headers.get("origin") ?? "";
      checkSecurity(settings, origin, headers.get("host") ?? "");
      if (embeddedPage(headers) !== undefined && !allowsOrigin(settings, origin)) throw originNotAllowed(origin);
      const { token, expiresAt } = chatTokens.issue({ session: name, deployment, origin, isPublic });
      return { chatToken: token, expireTime: timestampFromMs(Math.floor(expiresAt)) };
    },
  });
}

/** Undefined also for a chat token that has expired: clients ask for a new one with it. */
function validGrant(token: string, chatTokens: ChatTokens) {
  try {
    return chatTokens.verify(token);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unauthenticated) return undefined;
    throw error;
  }
}

function checkNames({ name, deployment }: GenerateChatTokenRequest): void {
  const app = appOfSession(name, "name");
  if (deployment.startsWith(`${app}/deployments/`)) return;
  throw invalidArgument({ field: "deployment", description: `'${deployment}' is not a deployment of '${app}'.` });
}

/** Checks what the deployment requires of the page that embeds the widget (proto comments of `SecuritySettings`). */
function checkSecurity(settings: SecuritySettings | undefined, origin: string, host: string): void {
  if (settings?.enableRecaptcha) {
    throw failedPrecondition(
      "The deployment requires reCAPTCHA, which this server cannot verify. Disable enable_recaptcha of its web widget.",
      { reason: "RECAPTCHA_NOT_AVAILABLE" },
    );
  }
  if (!settings?.enableOriginCheck || settings.allowedOrigins.length === 0) return;
  if (!allowsOrigin(settings, origin) && hostOf(origin) !== host) throw originNotAllowed(origin);
}

/** Host and port of an origin; undefined when it has none, e.g. for pages from files. */
function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
