import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
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
import { deepCopy, idOf, walkMessages } from "#aip";
import type { AppView } from "../define-resource.ts";
import { referencesIn } from "../references.ts";
import type { Resource } from "../resource.ts";
import { isSystemTool } from "../system-tools.ts";

/**
 * Fills the output-only display names beside tool and agent references inside recorded messages. The same object when nothing differs.
 * Names of deleted resources stay as they were.
 */
export function withDisplayNames<R extends Resource>(desc: DescMessage, resource: R, state: AppView): R {
  let isSame = true;
  forEachRecorded(desc, resource, (recorded) => {
    isSame &&= recorded.displayName === displayNameOf(recorded, state);
  });
  if (isSame) return resource;
  const copy = deepCopy(resource);
  forEachRecorded(desc, copy, (recorded) => {
    recorded.displayName = displayNameOf(recorded, state);
  });
  return copy;
}

/** A message that refers to a tool or an agent and has its display name. */
type Recorded = ToolCall | ToolResponse | AgentTransfer;

const RECORDED: ReadonlySet<string> = new Set(
  [ToolCallSchema, ToolResponseSchema, AgentTransferSchema].map(({ typeName }) => typeName),
);

function isRecorded({ message }: DescField): boolean {
  return message !== undefined && RECORDED.has(message.typeName);
}

function forEachRecorded(desc: DescMessage, resource: Resource, visit: (recorded: Recorded) => void): void {
  walkMessages(
    desc,
    resource,
    (message) => {
      for (const field of message.fields) {
        if (!isRecorded(field) || !message.isSet(field)) continue;
        // The field's type is one of those in `RECORDED`.
        if (field.fieldKind === "message") visit(message.get(field).message as Recorded);
        else if (field.fieldKind === "list")
          for (const item of message.get(field)) visit((item as ReflectMessage).message as Recorded);
      }
    },
    isRecorded,
  );
}

/** The present display name; the recorded one of what was deleted. */
function displayNameOf(recorded: Recorded, state: AppView): string {
  const found =
    recorded.$typeName === AgentTransferSchema.typeName
      ? state.find(AgentSchema, (recorded as AgentTransfer).targetAgent)?.displayName
      : toolDisplayName(recorded as ToolCall | ToolResponse, state);
  return found ?? recorded.displayName;
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
