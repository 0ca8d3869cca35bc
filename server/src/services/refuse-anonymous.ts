import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { unauthenticated } from "#status";
import { embeddedPage } from "./embedded-page.ts";

/**
 * Refuses calls without a credential where callers must be known. Pages that a deployment allows may get a chat token and the settings of their
 * widget, which `restrictChatTokenCallers` has checked.
 */
export function refuseAnonymous(): Interceptor {
  const check = ({ internalMethod: { name } }: RegisteredMethod, { caller, headers }: CallContext): void => {
    if (caller.kind !== "anonymous" || name === WidgetService.method.generateChatToken.name) return;
    if (embeddedPage(headers) !== undefined && name === AgentService.method.getDeployment.name) return;
    throw unauthenticated(
      "Request is missing required authentication credential. Send an access token or a key: 'Authorization: Bearer …', or 'x-goog-api-key'.",
      { reason: "CREDENTIALS_MISSING" },
    );
  };
  return (next) => ({
    unary: async (method, request, context) => {
      check(method, context);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      check(method, context);
      return next.stream(method, request, context);
    },
  });
}
