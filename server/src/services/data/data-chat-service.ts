import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type ChatRequest,
  DataChatService,
  type Message,
  MessageSchema,
  ChatRequest_ThinkingMode as ThinkingMode,
} from "@frontdesk/protos/gda/data_chat_service";
import { DataChatService as DataChatServiceV1 } from "@frontdesk/protos/gda-v1/data_chat_service";
import { DataChatService as DataChatServiceV1Alpha } from "@frontdesk/protos/gda-v1alpha/data_chat_service";
import type { Access } from "#access";
import type { Analytics, DataConnections, DataMessages, ShownConversations } from "#analytics";
import { type Clock, deferStream, type Ids, nonEmptyFields } from "#base";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { invalidArgument } from "#status";
import type { ChargedModels } from "../agent-service.ts";
import { storeBeforeSending, withErrorMessage } from "./answer-streams.ts";
import { askedAgent, type ChatContextDeps, chatContext, ownedConversation } from "./data-chat-context.ts";
import { listDataTables } from "./list-data-tables.ts";
import { requireReadable, shownOwned } from "./own-data.ts";
import { runStatement } from "./run-statement.ts";

interface DataChatServiceDeps extends ChatContextDeps {
  readonly chargedModels: ChargedModels;
  readonly analytics: Analytics;
  readonly messages: DataMessages;
  readonly connections: DataConnections;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Questions to data, and their conversations: `google.cloud.geminidataanalytics.v1beta.DataChatService`. */
export function createDataChatService(deps: DataChatServiceDeps): ServiceRegistration {
  const { analytics, conversations, messages, access } = deps;

  return defineService(DataChatService, [DataChatServiceV1, DataChatServiceV1Alpha], {
    chat: (request, context) => deferStream(() => answer(request, context, deps)),
    createConversation: (request, context) => conversations.create(request, context.caller.principal),
    getConversation: async ({ name }, context) =>
      (await ownedConversation(name, "name", "get", context, deps)).conversation,
    listConversations: async (request, context) => {
      const page = await conversations.list(request, shownConversations(request.parent, context, access));
      return { conversations: [...page.conversations], nextPageToken: page.nextPageToken };
    },
    deleteConversation: async ({ name }, context) => {
      await ownedConversation(name, "name", "delete", context, deps);
      await conversations.remove(name);
      return {};
    },
    listMessages: async (request, context) => {
      await ownedConversation(request.parent, "parent", "get", context, deps);
      const page = await messages.list(request);
      return {
        messages: page.messages.map((message) => ({ messageId: message.messageId, message })),
        nextPageToken: page.nextPageToken,
      };
    },
    listDataTables: (request, context) => listDataTables(request, context, deps),
    runStatement: (request, context) => runStatement(request, context, deps),
    retrieveModelVocabulary: async ({ name }, { signal, caller }) => {
      const { context, semanticModel } = await askedAgent(name, deps);
      return analytics.vocabulary(context, { agent: name, semanticModel }, { signal, caller });
    },
    queryData: async (request, context) => {
      if (request.context) {
        await requireReadable([request.context], request.parent, context, deps);
        await deps.ownData.ready(request.context, request.parent);
      }
      const models = deps.chargedModels(context, request.parent);
      return analytics.queryData(request, { signal: context.signal, caller: context.caller, models });
    },
  });
}

/** The caller's own conversations, and those that a role shows; undefined: all. */
function shownConversations(parent: string, context: CallContext, access: Access): ShownConversations | undefined {
  return shownOwned("cloudaicompanion.topics.get", parent, context, access);
}

/** Validates the request, then answers: with the history of the stored conversation, or with the one that the client sent. */
async function answer(
  request: ChatRequest,
  call: CallContext,
  deps: DataChatServiceDeps,
): Promise<AsyncIterable<Message>> {
  const found = await chatContext(request, call, deps);
  const { conversation, context, credentials, agent, semanticModel } = found;
  // Whoever may ask an agent uses what its project may have, whatever location the request says (IAM-19).
  const models = deps.chargedModels(call, agent ?? request.parent);
  if (request.messages.length > MAX_MESSAGES)
    throw invalidArgument({
      field: "messages",
      description: `has ${request.messages.length} items; the limit is ${MAX_MESSAGES}`,
    });
  const ask = (messages: readonly Message[]) =>
    deps.analytics.chat({
      messages,
      context,
      image: chartImage(call),
      mode: request.thinkingMode === ThinkingMode.FAST ? "fast" : "thinking",
      signal: call.signal,
      caller: call.caller,
      credentials,
      ...nonEmptyFields({ agent, semanticModel }),
      models,
    });
  if (!conversation) return withErrorMessage(ask(request.messages), call.signal, deps);
  const question = lastMessage(request, deps);
  const history = await deps.messages.history(conversation.conversation.name);
  const store = (batch: readonly Message[]) => deps.conversations.append(conversation, batch);
  return storeBeforeSending(question, withErrorMessage(ask([...history, question]), call.signal, deps), store);
}

/** Most messages of a request: a client that keeps the history sends it with each question, a dozen for each answer. */
const MAX_MESSAGES = 5_000;

/** The API has an option of the agent for SVG charts. This header requests an image for one answer. */
function chartImage({ headers }: CallContext): "svg" | "png" | undefined {
  const image = headers.get("x-frontdesk-chart");
  return image === "svg" || image === "png" ? image : undefined;
}

/** The new question. The server has the history, so it ignores earlier messages of the request. */
function lastMessage({ messages }: ChatRequest, { clock, ids }: Pick<DataChatServiceDeps, "clock" | "ids">): Message {
  const last = messages.at(-1);
  if (last?.kind.case !== "userMessage") {
    throw invalidArgument({ field: "messages", description: "The last message must be a user message with a text." });
  }
  const timestamp = timestampFromMs(Math.floor(clock.now()));
  return create(MessageSchema, { timestamp, messageId: ids.uuid(), kind: last.kind });
}
