import type { Context } from "@frontdesk/protos/gda/context";
import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import {
  type ChatRequest,
  DataAgentContext_ContextVersion as ContextVersion,
  type DataAgentContext,
} from "@frontdesk/protos/gda/data_chat_service";
import {
  contextViolations,
  type DataAgents,
  type DataConversations,
  deletedAgent,
  type OwnedConversation,
} from "#analytics";
import { type FieldViolation, failedPrecondition, invalidArgument, permissionDenied } from "#status";
import type { DataCaller, DataCallers } from "./data-callers.ts";

/** What a chat request is answered with. */
export interface ChatContext {
  readonly context: Context;
  readonly credentials?: Credentials;
  /** Where what is said is kept; absent: the client keeps it. */
  readonly conversation?: OwnedConversation;
}

export interface ChatContextDeps {
  readonly agents: DataAgents;
  readonly conversations: DataConversations;
  readonly callers: DataCallers;
}

/** Finds the one context that a request names, inline, of an agent, or of a conversation with one. Refuses what contradicts itself. */
export async function chatContext(
  request: ChatRequest,
  caller: DataCaller,
  deps: ChatContextDeps,
): Promise<ChatContext> {
  const found = await provided(request, caller, deps);
  const violations = [
    ...missingReferences(found.context),
    ...contextViolations(found.context, "context"),
    ...settingsViolations(request, found.context),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  const credentials = request.credentials ?? found.credentials;
  return credentials ? { ...found, credentials } : found;
}

async function provided(request: ChatRequest, caller: DataCaller, deps: ChatContextDeps): Promise<ChatContext> {
  const { contextProvider, parent } = request;
  switch (contextProvider.case) {
    case "inlineContext":
      caller.require("locations.chat", parent);
      return inline(contextProvider.value, "inline_context");
    case "clientManagedResourceContext":
      caller.require("locations.chat", parent);
      return inline(contextProvider.value.inlineContext, "client_managed_resource_context.inline_context");
    case "dataAgentContext":
      return ofAgent(contextProvider.value, "data_agent_context", caller, deps);
    case "conversationReference": {
      const { conversation: name, dataAgentContext } = contextProvider.value;
      const at = "conversation_reference";
      const conversation = await deps.conversations.get(name, `${at}.conversation`);
      refuseStranger(conversation, caller);
      const agent = dataAgentContext?.dataAgent ?? "";
      const [own = ""] = conversation.conversation.agents;
      if (agent !== own) throw otherAgent(name, own, agent);
      const found = await ofAgent(dataAgentContext, `${at}.data_agent_context`, caller, deps);
      return { ...found, conversation };
    }
    case undefined:
      throw invalidArgument({
        field: "context_provider",
        description:
          "Say what may be asked: inline_context, data_agent_context, conversation_reference or client_managed_resource_context, exactly one of them.",
      });
  }
}

/** A conversation is its owner's, and of those who look after conversations. */
export function refuseStranger({ conversation, owner }: OwnedConversation, caller: DataCaller): void {
  if (owner === caller.principal || caller.may("topics.admin")) return;
  throw permissionDenied(
    `${caller.principal} lacks the permission cloudaicompanion.topics.get on '${conversation.name}'.`,
    {
      reason: "IAM_PERMISSION_DENIED",
      metadata: { permission: "cloudaicompanion.topics.get", resource: conversation.name },
    },
  );
}

function inline(context: Context | undefined, field: string): ChatContext {
  if (context) return { context };
  throw invalidArgument({ field, description: "Required field is not set." });
}

async function ofAgent(
  wanted: DataAgentContext | undefined,
  field: string,
  caller: DataCaller,
  { agents, callers }: ChatContextDeps,
): Promise<ChatContext> {
  const name = wanted?.dataAgent ?? "";
  const agent = await agents.get(name, `${field}.data_agent`);
  if (callers.known) caller.require("dataAgents.chat", name, await agents.access(name));
  if (agent.deleteTime) throw deletedAgent(name, "answers no more questions");
  const context = versionOf(agent, wanted?.contextVersion ?? ContextVersion.CONTEXT_VERSION_UNSPECIFIED);
  return { context, ...(wanted?.credentials && { credentials: wanted.credentials }) };
}

/** Published unless staging is asked for; an agent that was never published answers from staging when no version is named. */
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
    "REFERENCES_NOT_SET: name the data to ask, e.g. bq.table_references with project_id, dataset_id and table_id.";
  return [{ field: "context.datasource_references", description }];
}

function settingsViolations({ datasourceSettings }: ChatRequest, context: Context): readonly FieldViolation[] {
  const isLooker = context.datasourceReferences?.references.case === "looker";
  if (datasourceSettings.case !== "lookerSettings") return [];
  if (isLooker) return devModeViolations(datasourceSettings.value.enableDevMode);
  return [{ field: "looker_settings", description: "The context asks no Looker explores; leave its settings out." }];
}

function devModeViolations(enabled: boolean): readonly FieldViolation[] {
  const description = "Explores are asked as they are in production. Deploy the LookML, or leave the setting out.";
  return enabled ? [{ field: "looker_settings.enable_dev_mode", description }] : [];
}

function otherAgent(conversation: string, own: string, given: string) {
  return invalidArgument({
    field: "conversation_reference.data_agent_context.data_agent",
    description: `'${conversation}' is a conversation with '${own}', not with '${given}'. Name that agent, or begin another conversation.`,
  });
}
