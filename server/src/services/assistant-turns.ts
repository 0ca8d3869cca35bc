import type { SessionService } from "@frontdesk/protos/ces/session_service";
import type { Assistant } from "#assistant";
import { deferStream } from "#base";
import type { ServiceImplementation } from "#rpc";
import type { ChargedModels } from "./agent-service.ts";
import { callerOf } from "./assistant-service.ts";

/** What a client declares when it shows cards for confirmations. */
const CONFIRMATION_CARDS = "CONFIRMATION_CARDS";

/** The assistant's methods of the session service: streamed turns, which can be attached to and cancelled, and suggestions to begin with. */
export function assistantTurns(deps: {
  readonly assistant: Assistant;
  readonly chargedModels: ChargedModels;
}): Pick<
  ServiceImplementation<typeof SessionService>,
  "streamChatAiAssistant" | "cancelAssistantTurn" | "generateOnboardingSuggestions"
> {
  const { assistant } = deps;
  return {
    streamChatAiAssistant: (request, context) =>
      deferStream(async () => {
        const { name: session, message, attachedGcsUris, clientCapabilities, resumeFromSequenceNumber } = request;
        const { confirmationResponse: confirmation, operationCompletedEvent: operation } = request;
        const saysNothing = message === "" && !confirmation && !operation;
        if (request.attachOnly || (saysNothing && resumeFromSequenceNumber > 0n))
          return (await assistant.attach(session)).resume();
        const showsConfirmations = clientCapabilities.includes(CONFIRMATION_CARDS);
        const input = { session, message, attachedGcsUris, confirmation, operation, showsConfirmations };
        const app = session.slice(0, session.indexOf("/assistantSessions/"));
        return (await assistant.begin(input, callerOf(app, context, deps))).follow();
      }),
    cancelAssistantTurn: async ({ name, turnId }) => ({ cancelled: assistant.cancel(name, turnId) }),
    generateOnboardingSuggestions: async ({ name, maxSuggestions }, context) => {
      const { models } = callerOf(name, context, deps);
      const { suggestions, userProfile } = await assistant.suggest(name, maxSuggestions, models);
      return { suggestions: [...suggestions], userProfile };
    },
  };
}
