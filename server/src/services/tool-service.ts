import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { ToolService as ToolServiceV1 } from "@frontdesk/protos/ces-v1/tool_service";
import { defineService, type ServiceRegistration } from "#rpc";

/** Direct execution and schemas of tools, as `google.cloud.ces.v1beta.ToolService`. Registered by name; its methods answer UNIMPLEMENTED. */
export function createToolService(): ServiceRegistration {
  return defineService(ToolService, [ToolServiceV1], {});
}
