import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AssistantService, type ChatAiAssistantResponseSchema } from "@frontdesk/protos/ces/assistant_service";
import {
  AssistantConfirmationResponseSchema,
  type AssistantMessage,
  type AssistantSession,
} from "@frontdesk/protos/ces/assistant_session";
import type { StreamChatAiAssistantResponse } from "@frontdesk/protos/ces/session_service";
import type { Assistant, AssistantCaller, AssistantInput } from "#assistant";
import { authorOf, deferStream, definedFields, isJsonObject } from "#base";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { invalidArgument } from "#status";
import type { ChargedModels } from "./agent-service.ts";
import { type StandardServiceDeps, standardMethods } from "./standard-service.ts";

interface AssistantServiceDeps extends StandardServiceDeps {
  readonly assistant: Assistant;
  readonly chargedModels: ChargedModels;
}

/** The assistant that helps to build apps, and its sessions: `google.cloud.ces.v1beta.AssistantService`. */
export function createAssistantService(deps: AssistantServiceDeps): ServiceRegistration {
  const { assistant, standard } = deps;
  const { getAssistantSession, listAssistantSessions } = AssistantService.method;
  const derived = standardMethods(AssistantService, deps) as Record<
    string,
    (request: never, context: CallContext) => Promise<never>
  >;
  return defineService(AssistantService, [], {
    ...derived,
    createAssistantSession: (request, { caller }) => assistant.create(request, authorOf(caller)),
    getAssistantSession: async (request) =>
      assistant.shown((await standard.invoke(getAssistantSession, request)) as AssistantSession),
    listAssistantSessions: async (request, context) => {
      const page = (await derived[listAssistantSessions.localName]?.(request as never, context)) as unknown as {
        readonly assistantSessions: readonly AssistantSession[];
        readonly nextPageToken: string;
      };
      return { ...page, assistantSessions: page.assistantSessions.map((session) => assistant.shown(session)) };
    },
    runAssistant: async ({ app, assistantSession, message }, context) => {
      const input = { ...inputOf(message), session: sessionOf(app, assistantSession), showsConfirmations: false };
      const { outcome } = await assistant.begin(input, callerOf(app, context, deps));
      const { message: answer, suggestions, state } = await outcome;
      return { output: { message: answer, userResponseSuggestions: { suggestions: [...suggestions] } }, state };
    },
    chatAiAssistant: ({ app, assistantSession, message, attachedGcsUris }, context) =>
      deferStream(async () => {
        const session = sessionOf(app, assistantSession);
        const input = { session, message, attachedGcsUris, showsConfirmations: false };
        const turn = await assistant.begin(input, callerOf(app, context, deps));
        return chatEvents(turn.follow(), turn.outcome);
      }),
  });
}

/** Who asks, and for whose models they pay. */
export function callerOf(
  app: string,
  { caller, peer }: CallContext,
  { chargedModels }: Pick<AssistantServiceDeps, "chargedModels">,
): AssistantCaller {
  return { author: authorOf(caller), models: chargedModels({ caller, peer }, app) };
}

function sessionOf(app: string, session: string): string {
  if (session.startsWith(`${app}/assistantSessions/`)) return session;
  throw invalidArgument({
    field: "assistant_session",
    description: `'${session}' is not an assistant session of '${app}'.`,
  });
}

/** A whole message as input. A payload of the type `confirmation_response` answers a proposal. */
function inputOf(message: AssistantMessage | undefined): Omit<AssistantInput, "session" | "showsConfirmations"> {
  const chunks = message?.chunks ?? [];
  const text = chunks.flatMap(({ data }) => (data.case === "text" ? [data.value] : [])).join("\n");
  const answers = chunks.flatMap(({ data }) =>
    data.case === "typedPayload" && data.value.type === "confirmation_response" && isJsonObject(data.value.value)
      ? [data.value.value]
      : [],
  );
  const [answer] = answers;
  const confirmation =
    answer &&
    create(AssistantConfirmationResponseSchema, {
      confirmationId: String(answer.confirmation_id ?? ""),
      confirmed: answer.confirmed === true,
      answerText: String(answer.answer_text ?? ""),
    });
  return { message: text, attachedGcsUris: message?.attachedGcsUris ?? [], confirmation };
}

/** The events that this stream has, then the error of the turn, if it failed. */
async function* chatEvents(
  events: AsyncIterable<StreamChatAiAssistantResponse>,
  outcome: Promise<unknown>,
): AsyncGenerator<MessageInitShape<typeof ChatAiAssistantResponseSchema>, void> {
  for await (const { eventId, eventTime, event } of events) {
    const reported = { eventId, ...definedFields({ eventTime }) };
    if (event.case === "textChunk") yield { ...reported, event };
    if (event.case === "sessionCheckpoint") yield { ...reported, event };
    if (event.case === "status" && event.value.code === 0)
      yield { ...reported, event: { case: "statusMessage", value: event.value.message } };
  }
  await outcome;
}
