import type { Context } from "@frontdesk/protos/gda/context";
import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import {
  type ChatRequest,
  DataAgentContext_ContextVersion as ContextVersion,
  type DataAgentContext,
} from "@frontdesk/protos/gda/data_chat_service";
import type { Access } from "#access";
import { locationOf } from "#aip";
import {
  agentDeletedError,
  contextViolations,
  type DataAgents,
  type DataConversations,
  type OwnData,
  type OwnedConversation,
} from "#analytics";
import type { CallContext } from "#rpc";
import { type FieldViolation, failedPrecondition, invalidArgument } from "#status";
import { ownedItem, requireReadable } from "./own-data.ts";

/** What a chat request is about: the context, the credentials for its data, and the conversation it belongs to. */
interface ChatContext {
  readonly context: Context;
  readonly credentials?: Credentials;
  /** The data agent that has the context. Default none. */
  readonly agent?: string;
  /** The semantic model of that agent, as the text of a model file. */
  readonly semanticModel?: string;
  /** The conversation that stores the messages; absent: the client keeps the history. */
  readonly conversation?: OwnedConversation;
}

export interface ChatContextDeps {
  readonly agents: DataAgents;
  readonly ownData: OwnData;
  readonly conversations: DataConversations;
  readonly access: Access;
}

/** Finds the one context that a request names (CA-7): inline, of an agent, or of a conversation with one. INVALID_ARGUMENT when it contradicts itself. */
export async function chatContext(
  request: ChatRequest,
  call: CallContext,
  deps: ChatContextDeps,
): Promise<ChatContext> {
  const found = await contextOf(request, call, deps);
  const violations = [
    ...missingReferences(found.context),
    ...contextViolations(found.context, "context"),
    ...settingsViolations(request, found.context),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  // Who may ask an agent may ask what its author gave it; with a context of their own people ask for what they may read themselves.
  if (found.agent === undefined) await requireReadable([found.context], request.parent, call, deps);
  await deps.ownData.ready(found.context, locationOf(found.agent ?? request.parent));
  const credentials = request.credentials ?? found.credentials;
  return credentials ? { ...found, credentials } : found;
}

async function contextOf(
  { contextProvider }: ChatRequest,
  call: CallContext,
  deps: ChatContextDeps,
): Promise<ChatContext> {
  switch (contextProvider.case) {
    case "inlineContext":
      return inline(contextProvider.value, "inline_context");
    case "clientManagedResourceContext":
      return inline(contextProvider.value.inlineContext, "client_managed_resource_context.inline_context");
    case "dataAgentContext":
      return ofAgent(contextProvider.value, "data_agent_context", deps);
    case "conversationReference": {
      const { conversation: name, dataAgentContext } = contextProvider.value;
      const at = "conversation_reference";
      const conversation = await ownedConversation(name, `${at}.conversation`, "get", call, deps);
      const agent = dataAgentContext?.dataAgent ?? "";
      const [own = ""] = conversation.conversation.agents;
      if (agent !== own) throw otherAgent(name, own, agent);
      const found = await ofAgent(dataAgentContext, `${at}.data_agent_context`, deps);
      return { ...found, conversation };
    }
    case undefined:
      throw invalidArgument({
        field: "context_provider",
        description:
          "Set exactly one of inline_context, data_agent_context, conversation_reference and client_managed_resource_context.",
      });
  }
}

/**
 * The conversation of a name. Conversations belong to their owner, and roles give access to those of others. PERMISSION_DENIED for everybody
 * else, whether it exists or not.
 */
export async function ownedConversation(
  name: string,
  field: string,
  verb: "get" | "delete",
  context: CallContext,
  { conversations, access }: Pick<ChatContextDeps, "conversations" | "access">,
): Promise<OwnedConversation> {
  const permission = `cloudaicompanion.topics.${verb}`;
  const item = {
    permission,
    find: () => conversations.get(name, field),
    ownerOf: ({ owner }: OwnedConversation) => owner,
  };
  return ownedItem(name, item, context, access);
}

function inline(context: Context | undefined, field: string): ChatContext {
  if (context) return { context };
  throw invalidArgument({ field, description: "Required field is not set." });
}

async function ofAgent(
  request: DataAgentContext | undefined,
  field: string,
  { agents }: ChatContextDeps,
): Promise<ChatContext> {
  const name = request?.dataAgent ?? "";
  const agent = await agents.get(name, `${field}.data_agent`);
  if (agent.deleteTime) throw agentDeletedError(name, "answers no more questions");
  const context = versionOf(agent, request?.contextVersion ?? ContextVersion.CONTEXT_VERSION_UNSPECIFIED);
  return { context, agent: name, semanticModel: agent.semanticModel, credentials: request?.credentials };
}

/** An agent that statements are run for: its context (the published one, or the staging one of an agent that was never published), and the semantic model that it has itself. */
export async function askedAgent(
  name: string,
  { agents, ownData }: Pick<ChatContextDeps, "agents" | "ownData">,
): Promise<{ readonly context: Context; readonly semanticModel: string }> {
  const agent = await agents.get(name);
  if (agent.deleteTime) throw agentDeletedError(name, "answers no more questions");
  const context = versionOf(agent, ContextVersion.CONTEXT_VERSION_UNSPECIFIED);
  await ownData.ready(context, locationOf(name));
  return { context, semanticModel: agent.semanticModel };
}

/** The published context, unless the request names staging (CA-24). Without a version, an agent that was never published uses its staging context. */
function versionOf({ name, type }: DataAgent, version: ContextVersion): Context {
  const { publishedContext, stagingContext } = type.value ?? {};
  const context =
    version === ContextVersion.STAGING
      ? stagingContext
      : (publishedContext ?? (version === ContextVersion.PUBLISHED ? undefined : stagingContext));
  if (context) return context;
  const which = version === ContextVersion.STAGING ? "staging_context" : "published_context";
  throw failedPrecondition(
    `The data agent '${name}' has no ${which}. Set data_analytics_agent.${which} with UpdateDataAgent first.`,
    { reason: "CONTEXT_NOT_SET", metadata: { name, context: which } },
  );
}

function missingReferences({ datasourceReferences }: Context): readonly FieldViolation[] {
  if (datasourceReferences?.references.case) return [];
  const description =
    "REFERENCES_NOT_SET: name the data to query, e.g. bq.table_references with project_id, dataset_id and table_id.";
  return [{ field: "context.datasource_references", description }];
}

function settingsViolations({ datasourceSettings }: ChatRequest, context: Context): readonly FieldViolation[] {
  const isLooker = context.datasourceReferences?.references.case === "looker";
  if (datasourceSettings.case !== "lookerSettings") return [];
  if (isLooker) return devModeViolations(datasourceSettings.value.enableDevMode);
  return [{ field: "looker_settings", description: "The context has no Looker explores. Leave looker_settings out." }];
}

function devModeViolations(enabled: boolean): readonly FieldViolation[] {
  const description = "Explores are queried in production mode. Deploy the LookML, or leave the setting out.";
  return enabled ? [{ field: "looker_settings.enable_dev_mode", description }] : [];
}

function otherAgent(conversation: string, own: string, given: string) {
  return invalidArgument({
    field: "conversation_reference.data_agent_context.data_agent",
    description: `'${conversation}' is a conversation with '${own}', not with '${given}'. Name that agent, or start another conversation.`,
  });
}
