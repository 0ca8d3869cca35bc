import type { Message } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Deployment } from "@frontdesk/protos/ces/deployment";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import type { ChatTokens } from "#identity";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { permissionDenied } from "#status";
import { createChatTokenGuard } from "./chat-token-guard.ts";
import { allowsOrigin, embeddedPage, originNotAllowed } from "./embedded-page.ts";
import { hideOperatorErrors } from "./hide-operator-errors.ts";

const { runSession, streamRunSession, bidiRunSession } = SessionService.method;

/** What a caller with a chat token may call: the session methods, which verify the token, and the one that issues it. By name in the internal revision. */
const SESSION_METHODS: ReadonlySet<string> = new Set(
  [runSession, streamRunSession, bidiRunSession].map(({ name }) => name),
);
const GENERATE_TOKEN = WidgetService.method.generateChatToken.name;
const GET_DEPLOYMENT = AgentService.method.getDeployment.name;

/**
 * Restricts callers with a chat token to the session methods. The same applies to a page that only a deployment allows; it may also get a
 * token, and the settings of its widget. Errors for the operator are hidden from both. All other callers pass.
 */
export function restrictChatTokenCallers(chatTokens: ChatTokens): Interceptor {
  const guard = createChatTokenGuard(chatTokens);
  const hideErrors = hideOperatorErrors(guard);
  const check = ({ internalMethod }: RegisteredMethod, context: CallContext): void => {
    const { name } = internalMethod;
    // Clients may send their old token when they request a new one.
    if (name === GENERATE_TOKEN) return;
    // Throws for a token that is not valid, before anything else is said of its caller.
    const isEndUser = guard.hasChatToken(context);
    if (SESSION_METHODS.has(name)) return;
    if (isEndUser)
      throw permissionDenied(`A chat token grants access to its session only, not to ${name}.`, {
        reason: "CHAT_TOKEN_SCOPE",
      });
    const page = embeddedPage(context.headers);
    if (page !== undefined && name !== GET_DEPLOYMENT) throw originNotAllowed(page);
  };
  const restrict: Interceptor = (next) => ({
    unary: async (method, request, context) => {
      check(method, context);
      const answer = await next.unary(method, request, context);
      if (method.internalMethod.name === GET_DEPLOYMENT) checkWidgetSettings(answer, context);
      return answer;
    },
    stream: (method, request, context) => {
      check(method, context);
      return next.stream(method, request, context);
    },
  });
  return (next) => hideErrors(restrict(next));
}

/** The request of a page for the texts and colours of its widget, whose answer `restrictChatTokenCallers` checks (IAM-12). */
export function isWidgetRequest({ internalMethod }: RegisteredMethod, { headers }: CallContext): boolean {
  return internalMethod.name === GET_DEPLOYMENT && embeddedPage(headers) !== undefined;
}

/** Only pages that the deployment allows may read the settings of its widget. */
function checkWidgetSettings(answer: Message, { headers }: CallContext): void {
  const page = embeddedPage(headers);
  if (page === undefined) return;
  // A Deployment of any revision: the field that is read here is the same in all.
  const { channelProfile } = answer as Deployment;
  if (!allowsOrigin(channelProfile?.webWidgetConfig?.securitySettings, page)) throw originNotAllowed(page);
}
