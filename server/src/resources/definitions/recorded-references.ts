import { clone, type DescMessage, equals } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  type AgentTransfer,
  AgentTransferSchema,
  type ToolCall,
  ToolCallSchema,
  type ToolResponse,
  ToolResponseSchema,
} from "@frontdesk/protos/ces/example";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { idOf, walkMessages } from "#aip";
import type { AppView } from "../define-resource.ts";
import { referencesIn } from "../references.ts";
import type { Resource } from "../resource.ts";
import { isSystemTool } from "../system-tools.ts";

/**
 * Fills the output-only display names beside tool and agent references inside recorded messages. The same object when nothing differs.
 * Names of deleted resources stay as they were.
 */
export function withDisplayNames<R extends Resource>(desc: DescMessage, resource: R, state: AppView): R {
  const copy = clone(desc, resource) as R;
  walkMessages(desc, copy, ({ message }) => {
    if (message.$typeName === ToolCallSchema.typeName || message.$typeName === ToolResponseSchema.typeName) {
      const call = message as ToolCall | ToolResponse;
      call.displayName = toolDisplayName(call, state) ?? call.displayName;
    } else if (message.$typeName === AgentTransferSchema.typeName) {
      const transfer = message as AgentTransfer;
      transfer.displayName = state.find(AgentSchema, transfer.targetAgent)?.displayName ?? transfer.displayName;
    }
  });
  return equals(desc, copy, resource) ? resource : copy;
}

/** Whether the resource has a dangling reference. System tools always exist. */
export function hasDanglingReference(desc: DescMessage, resource: Resource, state: AppView): boolean {
  return referencesIn(desc, resource).some(({ name }) => !state.has(name) && !isSystemTool(state.name, name));
}

function toolDisplayName({ toolIdentifier }: ToolCall | ToolResponse, state: AppView): string | undefined {
  if (toolIdentifier.case === "tool") {
    return state.find(ToolSchema, toolIdentifier.value)?.displayName ?? idOf(toolIdentifier.value);
  }
  if (toolIdentifier.case !== "toolsetTool") return undefined;
  const { toolset, toolId } = toolIdentifier.value;
  const prefix = state.find(ToolsetSchema, toolset)?.displayName;
  return prefix === undefined ? undefined : `${prefix.replaceAll("-", "_")}_${toolId}`;
}
