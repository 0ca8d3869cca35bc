import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { AgentService } from "#gen/ces/agent_service";
import { AssistantService } from "#gen/ces/assistant_service";
import { EvaluationService } from "#gen/ces/evaluation_service";
import { SessionService } from "#gen/ces/session_service";
import { ToolService } from "#gen/ces/tool_service";
import { WidgetService } from "#gen/ces/widget_service";
import { AgentService as AgentServiceV1 } from "#gen/ces-v1/agent_service";
import { SessionService as SessionServiceV1 } from "#gen/ces-v1/session_service";
import { ToolService as ToolServiceV1 } from "#gen/ces-v1/tool_service";
import { WidgetService as WidgetServiceV1 } from "#gen/ces-v1/widget_service";
import { DataAgentService } from "#gen/gda/data_agent_service";
import { DataChatService } from "#gen/gda/data_chat_service";
import { DataAgentService as DataAgentServiceV1 } from "#gen/gda-v1/data_agent_service";
import { DataChatService as DataChatServiceV1 } from "#gen/gda-v1/data_chat_service";
import { Operations } from "#gen/google/longrunning/operations";

/**
 * A typed client for each service of `google.cloud.ces.v1beta` and `google.cloud.geminidataanalytics.v1beta`. A method takes its
 * request as an object, and answers a message or an async iterable of messages.
 */
export interface Services {
  /** Apps and what they are made of: agents, tools, versions, deployments, conversations. */
  readonly apps: Client<typeof AgentService>;
  /** Turns of conversations. `bidiRunSession` needs a transport over HTTP/2. */
  readonly sessions: Client<typeof SessionService>;
  /** Schemas and single runs of tools. */
  readonly tools: Client<typeof ToolService>;
  readonly evaluations: Client<typeof EvaluationService>;
  /** The assistant that helps to build apps. */
  readonly assistant: Client<typeof AssistantService>;
  /** Tokens for chats on other sites. */
  readonly widgets: Client<typeof WidgetService>;
  readonly dataAgents: Client<typeof DataAgentService>;
  /** Questions to data, and their conversations. */
  readonly dataChat: Client<typeof DataChatService>;
  /** Long-running operations of both APIs. */
  readonly operations: Client<typeof Operations>;
}

/** The same of v1, as far as v1 has them. */
export interface ServicesV1 {
  readonly apps: Client<typeof AgentServiceV1>;
  readonly sessions: Client<typeof SessionServiceV1>;
  readonly tools: Client<typeof ToolServiceV1>;
  readonly widgets: Client<typeof WidgetServiceV1>;
  readonly dataAgents: Client<typeof DataAgentServiceV1>;
  readonly dataChat: Client<typeof DataChatServiceV1>;
}

/** Clients of the services in v1beta, over a transport of Connect. */
export function servicesOver(transport: Transport): Services {
  return {
    apps: createClient(AgentService, transport),
    sessions: createClient(SessionService, transport),
    tools: createClient(ToolService, transport),
    evaluations: createClient(EvaluationService, transport),
    assistant: createClient(AssistantService, transport),
    widgets: createClient(WidgetService, transport),
    dataAgents: createClient(DataAgentService, transport),
    dataChat: createClient(DataChatService, transport),
    operations: createClient(Operations, transport),
  };
}

/** Clients of the services in v1, over a transport of Connect. */
export function servicesOfV1(transport: Transport): ServicesV1 {
  return {
    apps: createClient(AgentServiceV1, transport),
    sessions: createClient(SessionServiceV1, transport),
    tools: createClient(ToolServiceV1, transport),
    widgets: createClient(WidgetServiceV1, transport),
    dataAgents: createClient(DataAgentServiceV1, transport),
    dataChat: createClient(DataChatServiceV1, transport),
  };
}
