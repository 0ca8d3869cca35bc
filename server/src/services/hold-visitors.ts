import type { Message } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Deployment } from "@frontdesk/protos/ces/deployment";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import type { Clock } from "#base";
import type { CallContext, Interceptor, RegisteredMethod } from "#rpc";
import { permissionDenied } from "#status";
import { createChatTokenGuard } from "./chat-token-guard.ts";
import { createChatTokens } from "./chat-tokens.ts";
import { allowsOrigin, embeddedPage, pageRefused } from "./embedded-page.ts";

export interface HoldVisitorsDeps {
  /** As `createServices` has it. */
  readonly chatTokenKey: Uint8Array;
  readonly clock: Clock;
}

const { runSession, streamRunSession, bidiRunSession } = SessionService.method;

/** What a visitor may call: the session methods, which look at the chat token, and the one that gives it. By name of the inside revision. */
const TALK: ReadonlySet<string> = new Set([runSession, streamRunSession, bidiRunSession].map(({ name }) => name));
const TOKEN = WidgetService.method.generateChatToken.name;
const SETTINGS = AgentService.method.getDeployment.name;

/**
 * Holds visitors to talking. Whoever shows a chat token may call the session methods and nothing else; so may a page that only a
 * deployment allows, which also gets its token, and the settings of its widget. Everybody else passes.
 */
export function holdVisitors({ chatTokenKey, clock }: HoldVisitorsDeps): Interceptor {
  const guard = createChatTokenGuard(createChatTokens({ key: chatTokenKey, clock }));
  const check = ({ inside }: RegisteredMethod, context: CallContext): void => {
    const { name } = inside;
    // A client that always shows its token gets a new one with an old one.
    if (TALK.has(name) || name === TOKEN) return;
    if (guard.recognises(context))
      throw permissionDenied(`A chat token lets its bearer talk in its session; it does not open ${name}.`, {
        reason: "CHAT_TOKEN_SCOPE",
      });
    const page = embeddedPage(context.headers);
    if (page !== undefined && name !== SETTINGS) throw pageRefused(page);
  };
  return (next) => ({
    unary: async (method, request, context) => {
      check(method, context);
      const answer = await next.unary(method, request, context);
      if (method.inside.name === SETTINGS) checkSettings(answer, context);
      return answer;
    },
    stream: (method, request, context) => {
      check(method, context);
      return next.stream(method, request, context);
    },
  });
}

/** The settings of a widget are for pages that its deployment allows. */
function checkSettings(answer: Message, { headers }: CallContext): void {
  const page = embeddedPage(headers);
  if (page === undefined) return;
  // What GetDeployment answers, of any revision: they are alike in what is read here.
  const { channelProfile } = answer as Deployment;
  if (!allowsOrigin(channelProfile?.webWidgetConfig?.securitySettings, page)) throw pageRefused(page);
}
