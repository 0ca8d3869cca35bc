import { clone, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type Conversation,
  ConversationSchema,
  type CreateConversationRequest,
  CreateConversationRequestSchema,
  type ListConversationsRequest,
  ListConversationsRequestSchema,
} from "@frontdesk/protos/gda/conversation";
import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import {
  compileFilter,
  decodePageToken,
  encodePageToken,
  locationOf,
  pageSizeOf,
  requestChecksum,
  withoutOutputOnly,
} from "#aip";
import { type Clock, definedFields, type Ids } from "#base";
import { alreadyExists, type ConnectError, type FieldViolation, invalidArgument, notFound } from "#status";
import { type ResourceRow, type ResourceStore, type ResourceWrite, StaleEtagError } from "#storage";
import {
  checkAgentName,
  checkConversationName,
  checkLocation,
  DATA_CONVERSATION_TYPE,
  newConversationName,
} from "../agents/data-agent-name.ts";
import type { IdempotencyStore } from "../agents/idempotency-store.ts";
import { PAGES } from "../agents/list-agents.ts";
import { kmsKeyViolations } from "../agents/validate-agent.ts";
import { type MessageOrder, toMessageRow } from "./message-rows.ts";

/** A stored conversation with who began it. */
export interface OwnedConversation {
  readonly conversation: Conversation;
  /** Principal; "" when callers are not identified. */
  readonly owner: string;
  /** Which of the conversations that ever had this name. */
  readonly incarnation: string;
}

/** Whether the list shows a conversation, by its name and owner. */
export type ShownConversations = (name: string, owner: string) => boolean | Promise<boolean>;

/** Conversations with data agents and their messages. */
export interface DataConversations {
  create(request: CreateConversationRequest, owner: string): Promise<Conversation>;
  /** NOT_FOUND where it does not exist. */
  get(name: string, field?: string): Promise<OwnedConversation>;
  /** Last used first. Default: everybody's. */
  list(
    request: ListConversationsRequest,
    shown?: ShownConversations,
  ): Promise<{ readonly conversations: readonly Conversation[]; readonly nextPageToken: string }>;
  /** With all its messages, at once. */
  remove(name: string): Promise<void>;
  /** Adds messages at the end, durable when it resolves. NOT_FOUND when the conversation was deleted meanwhile. */
  append(conversation: OwnedConversation, messages: readonly Message[]): Promise<void>;
}

interface DataConversationsDeps {
  readonly store: ResourceStore;
  readonly idempotency: IdempotencyStore;
  readonly order: MessageOrder;
  readonly clock: Clock;
  readonly ids: Ids;
}

const ROWS_AT_A_TIME = 200;

/** Creates the conversations over the store. */
export function createDataConversations(deps: DataConversationsDeps): DataConversations {
  const { store, idempotency, order, clock, ids } = deps;
  const now = () => timestampFromMs(Math.floor(clock.now()));

  function created({ parent, conversationId, conversation }: CreateConversationRequest): Conversation {
    const name = newConversationName(parent, conversationId || ids.uuid());
    const own = clone(ConversationSchema, withoutOutputOnly(ConversationSchema, sent(conversation)));
    own.name = name;
    own.createTime = now();
    own.lastUsedTime = now();
    return own;
  }

  return {
    create: (request, owner) => {
      const content = toBinary(CreateConversationRequestSchema, request);
      const { parent, requestId } = request;
      return idempotency.runOnce({ parent, requestId, content, response: ConversationSchema }, async (remember) => {
        const conversation = created(request);
        const row = toRow({ conversation, owner, incarnation: ids.uuid() });
        await store.write([{ kind: "put", row, ifEtag: "" }, ...remember(conversation)]).catch((error: unknown) => {
          throw error instanceof StaleEtagError ? alreadyExists(conversation.name, DATA_CONVERSATION_TYPE) : error;
        });
        return conversation;
      });
    },
    async get(name, field = "name") {
      checkConversationName(name, field);
      const row = await store.get(name);
      if (row?.type !== DATA_CONVERSATION_TYPE) throw notFound(name, DATA_CONVERSATION_TYPE);
      return fromRow(row);
    },
    list: (request, shown = () => true) => listConversations(store, request, shown),
    async remove(name) {
      await store.write([{ kind: "delete-tree", prefix: name }]);
    },
    async append(owned, messages) {
      const conversation = clone(ConversationSchema, owned.conversation);
      conversation.lastUsedTime = now();
      const rows = messages.map((message) => toMessageRow(conversation.name, message, order.next(), clock.now()));
      const head: ResourceWrite = { kind: "put", row: toRow({ ...owned, conversation }), ifEtag: owned.incarnation };
      await store.write([head, ...rows.map((row) => ({ kind: "put", row }) as const)]).catch((error: unknown) => {
        throw error instanceof StaleEtagError ? gone(conversation.name) : error;
      });
    },
  };
}

function sent(conversation: Conversation | undefined): Conversation {
  const { agents = [], kmsKey } = conversation ?? {};
  const violations: FieldViolation[] = [...kmsKeyViolations("conversation.kms_key", kmsKey)];
  if (agents.length !== 1) {
    const description = `A conversation has exactly one agent, not ${agents.length}.`;
    violations.push({ field: "conversation.agents", description });
  }
  if (!conversation || violations.length > 0) throw invalidArgument(violations);
  checkAgentName(agents[0] ?? "", "conversation.agents[0]");
  return conversation;
}

async function listConversations(store: ResourceStore, request: ListConversationsRequest, shown: ShownConversations) {
  checkLocation(request.parent, { wildcards: true });
  const size = pageSizeOf(request.pageSize, PAGES);
  const checksum = requestChecksum(ListConversationsRequestSchema, request);
  const test = compileFilter(ConversationSchema, request.filter);
  const found: ResourceRow[] = [];
  let after = decodePageToken(request.pageToken, checksum, "timed");
  for (;;) {
    const page = await store.list({
      type: DATA_CONVERSATION_TYPE,
      parent: request.parent,
      orderBy: "update_time",
      descending: true,
      limit: ROWS_AT_A_TIME,
      ...definedFields({ after }),
    });
    const decisions = await Promise.all(page.rows.map(({ name, displayName: owner }) => shown(name, owner)));
    const visible = page.rows.filter((_, index) => decisions[index]);
    found.push(...visible.filter((row) => test?.(fromRow(row).conversation) ?? true));
    after = page.last as readonly [number, string] | undefined;
    if (!after || found.length > size) break;
  }
  const listed = found.slice(0, size);
  const last = listed.at(-1);
  return {
    conversations: listed.map((row) => fromRow(row).conversation),
    nextPageToken: last && found.length > size ? encodePageToken([last.updateTime, last.name], checksum) : "",
  };
}

/** The etag stays as long as the conversation does; the column for a display name holds the owner, since there is none to show. */
function toRow({ conversation, owner, incarnation }: OwnedConversation): ResourceRow {
  const { name, createTime, lastUsedTime } = conversation;
  return {
    name,
    type: DATA_CONVERSATION_TYPE,
    parent: locationOf(name),
    displayName: owner,
    createTime: createTime ? timestampMs(createTime) : 0,
    updateTime: lastUsedTime ? timestampMs(lastUsedTime) : 0,
    etag: incarnation,
    body: toBinary(ConversationSchema, conversation),
  };
}

function fromRow({ body, displayName, etag }: ResourceRow): OwnedConversation {
  return { conversation: fromBinary(ConversationSchema, body), owner: displayName, incarnation: etag };
}

function gone(name: string): ConnectError {
  return notFound(name, DATA_CONVERSATION_TYPE);
}
