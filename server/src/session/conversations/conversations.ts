import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BatchDeleteConversationsResponseSchema,
  ListConversationsRequest,
  ListConversationsResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { Conversation, Conversation_Turn } from "@frontdesk/protos/ces/conversation";
import { notFound } from "#status";
import type { ConversationStore } from "#storage";
import { listConversations } from "./list-conversations.ts";
import { toConversation, toTurn } from "./to-conversation.ts";

/** The recorded conversations, as the API shows them. */
export interface Conversations {
  /** A whole conversation with all turns and traces. NOT_FOUND when there is none, or when its app does not log it. */
  get(name: string): Promise<Conversation>;
  /** The deployment that a session began with, "" for none; undefined where the session has not begun. */
  deploymentOf(session: string): Promise<string | undefined>;
  /** The turns of those of some conversations that exist and are logged, by the conversation's name. */
  turnsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly Conversation_Turn[]>>;
  /** A page of conversations, newest first, without their turns (a page of whole ones would be megabytes). Ends with the reason of the signal. */
  list(
    request: ListConversationsRequest,
    signal?: AbortSignal,
  ): Promise<MessageInitShape<typeof ListConversationsResponseSchema>>;
  /** Also removes a conversation that the app does not log, which would otherwise remain until it expires. NOT_FOUND when there is none. */
  remove(name: string): Promise<void>;
  /** Deletes those that exist and belong to the app; the others are reported, each with its reason. */
  removeMany(
    app: string,
    names: readonly string[],
  ): Promise<MessageInitShape<typeof BatchDeleteConversationsResponseSchema>>;
}

const TYPE = "ces.googleapis.com/Conversation";

/** Creates the view over the store that the engine writes. */
export function createConversations(store: ConversationStore): Conversations {
  return {
    async get(name) {
      const head = await store.getHead(name);
      if (!head || head.hidden) throw notFound(name, TYPE);
      return toConversation(head, await store.getTurns(name));
    },
    async deploymentOf(session) {
      const head = await store.getHead(session.replace(/\/sessions\/([^/]+)$/, "/conversations/$1"));
      return head?.deployment;
    },
    async turnsOf(names) {
      const found = await store.getTurnsOfMany(names);
      return new Map([...found].map(([name, bodies]) => [name, bodies.map(toTurn)]));
    },
    list: (request, signal) => listConversations(store, request, signal),
    async remove(name) {
      const removed = await store.remove([name]);
      if (removed.length === 0) throw notFound(name, TYPE);
    },
    async removeMany(app, names) {
      const owned = names.filter((name) => name.startsWith(`${app}/conversations/`));
      const deleted = new Set(await store.remove(owned));
      const failed = names.filter((name) => !deleted.has(name));
      return {
        deletedConversations: [...deleted],
        failedConversations: failed,
        errorMessages: failed.map((name) =>
          owned.includes(name) ? `${name}: not found` : `${name}: not a conversation of ${app}`,
        ),
      };
    },
  };
}
