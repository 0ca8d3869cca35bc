import { createClient } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { binaryTransport } from "./transport.ts";

/** The service that stores the configuration of apps. */
export const agentService = createClient(AgentService, binaryTransport);
