import { createClient } from "@connectrpc/connect";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { transport } from "./transport.ts";

/** The service that describes and runs tools. Not beside that of apps, because the first page needs none of it. */
export const toolService = createClient(ToolService, transport);
