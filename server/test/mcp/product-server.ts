import { create, type DescService } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { Operations } from "@frontdesk/protos/google/longrunning/operations";
import { defineService } from "#rpc";
import { startWireServer, type WireServer, type WireServerOptions } from "../wire/wire-server.ts";

/** The real wire over every service of both products, whose unary methods answer an empty message. */
export function createProductServer(options: WireServerOptions = {}): Promise<WireServer> {
  const others = [EvaluationService, ToolService, WidgetService, DataAgentService, DataChatService];
  return startWireServer({
    agents: emptyAnswers(AgentService),
    sessions: emptyAnswers(SessionService),
    operations: emptyAnswers(Operations),
    ...options,
    more: [...others.map((service) => defineService(service, [], emptyAnswers(service))), ...(options.more ?? [])],
  });
}

function emptyAnswers(service: DescService): Record<string, never> {
  const handlers = service.methods.map((method) => {
    if (method.methodKind === "unary") return [method.localName, async () => create(method.output)];
    return [method.localName, async function* () {}];
  });
  // A stub for every method; which type each answers is its descriptor's business.
  return Object.fromEntries(handlers) as Record<string, never>;
}
