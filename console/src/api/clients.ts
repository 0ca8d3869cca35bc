import { createClient } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { binaryTransport, transport } from "./transport.ts";

/** The service that stores the configuration of apps. */
export const agentService = createClient(AgentService, binaryTransport);

/** The service that describes and runs tools. */
export const toolService = createClient(ToolService, transport);
