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
import type { Analytics, DataMessages } from "#analytics";
import { type Clock, deferStream, type Ids } from "#base";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import { invalidArgument } from "#status";
import { type ChatContextDeps, chatContext, refuseStranger } from "./data-chat-context.ts";
import { keptAnswer, toldAnswer } from "./told-answer.ts";

export interface DataChatServiceDeps extends ChatContextDeps {
  readonly analytics: Analytics;
  readonly messages: DataMessages;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Questions to data and the conversations they belong to, as `google.cloud.geminidataanalytics.v1beta.DataChatService`. */
export function createDataChatService(deps: DataChatServiceDeps): ServiceRegistration {
  const { analytics, conversations, messages, callers } = deps;

  const owned = async (name: string, context: CallContext, field?: string) => {
    const caller = callers.of(context);
    const conversation = await conversations.get(name, field);
    refuseStranger(conversation, caller);
    return conversation;
  };

  return defineService(DataChatService, [DataChatServiceV1, DataChatServiceV1Alpha], {
    chat: (request, context) => deferStream(() => answer(request, context, deps)),
    createConversation: async (request, context) => {
      const caller = callers.of(context);
      caller.require("topics.create", request.parent);
      return conversations.create(request, caller.principal);
    },
    getConversation: async ({ name }, context) => (await owned(name, context)).conversation,
    listConversations: async (request, context) => {
      const caller = callers.of(context);
      const isAdmin = caller.may("topics.admin");
      const page = await conversations.list(request, isAdmin ? undefined : caller.principal);
      return { conversations: [...page.conversations], nextPageToken: page.nextPageToken };
    },
    deleteConversation: async ({ name }, context) => {
      await owned(name, context);
      await conversations.remove(name);
      return {};
    },
    listMessages: async (request, context) => {
      await owned(request.parent, context, "parent");
      const page = await messages.list(request);
      return {
        messages: page.messages.map((message) => ({ messageId: message.messageId, message })),
        nextPageToken: page.nextPageToken,
      };
    },
    queryData: async (request, context) => {
      callers.of(context).require("locations.queryData", request.parent);
      return analytics.queryData(request, context.signal);
    },
  });
}

/** Checks the request, then answers: with the history that the server keeps, or that the client sent. */
async function answer(
  request: ChatRequest,
  call: CallContext,
  deps: DataChatServiceDeps,
): Promise<AsyncIterable<Message>> {
  const found = await chatContext(request, deps.callers.of(call), deps);
  const { conversation, context, credentials } = found;
  const asked = (messages: readonly Message[]) =>
    deps.analytics.chat({
      messages,
      context,
      ...pictureWanted(call),
      mode: request.thinkingMode === ThinkingMode.FAST ? "fast" : "thinking",
      signal: call.signal,
      ...(credentials && { credentials }),
    });
  if (!conversation) return toldAnswer(asked(request.messages), call.signal, deps);
  const question = received(request, deps);
  const history = await deps.messages.history(conversation.conversation.name);
  const keep = (some: readonly Message[]) => deps.conversations.append(conversation, some);
  return keptAnswer(question, toldAnswer(asked([...history, question]), call.signal, deps), keep);
}

/** The API's own option is SVG for an agent; this header asks for a picture of one answer, and clients that do not know it get none. */
function pictureWanted({ headers }: CallContext): { readonly image?: "svg" | "png" } {
  const image = headers.get("x-frontdesk-chart");
  return image === "svg" || image === "png" ? { image } : {};
}

/** The new question: the server has what was said before, so earlier messages in the request say nothing new. */
function received({ messages }: ChatRequest, { clock, ids }: Pick<DataChatServiceDeps, "clock" | "ids">): Message {
  const last = messages.at(-1);
  if (last?.kind.case !== "userMessage") {
    throw invalidArgument({ field: "messages", description: "The last message must be a user message with a text." });
  }
  const timestamp = timestampFromMs(Math.floor(clock.now()));
  return create(MessageSchema, { timestamp, messageId: ids.uuid(), kind: last.kind });
}
