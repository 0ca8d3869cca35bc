import { create } from "@bufbuild/protobuf";
import { type ToolsetTool, ToolsetToolSchema } from "@frontdesk/protos/ces/toolset_tool";
import type { JsonObject } from "#base";
import type { ToolCall, ToolDeclaration } from "#tools";
import type { ChunkInit } from "../model-call/history.ts";

/** How the response of a function call is recorded. */
export function responseChunk(
  { id, name }: Pick<ToolCall, "id" | "name">,
  declaration: Pick<ToolDeclaration, "tool"> | undefined,
  response: JsonObject,
): ChunkInit {
  return { case: "toolResponse", value: { id, displayName: name, response, ...toolIdentifier(declaration) } };
}

/** The `tool_identifier` of recorded calls and responses. */
type ToolIdentifier =
  | { readonly case: "tool"; readonly value: string }
  | { readonly case: "toolsetTool"; readonly value: ToolsetTool };

/** A tool of a toolset is named below it; ids may hold any characters. */
const MEMBER = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/toolsets\/[^/]+)\/tools\/(.+)$/s;

/**
 * A tool's resource name, or for one of a toolset the toolset and the tool's id: such tools cannot be referenced by name
 * (tool.proto). None for what does not exist.
 */
export function toolIdentifier(declaration: Pick<ToolDeclaration, "tool"> | undefined): {
  readonly toolIdentifier?: ToolIdentifier;
} {
  if (!declaration?.tool) return {};
  const [, toolset, toolId] = MEMBER.exec(declaration.tool) ?? [];
  if (toolset === undefined) return { toolIdentifier: { case: "tool", value: declaration.tool } };
  return {
    toolIdentifier: { case: "toolsetTool", value: create(ToolsetToolSchema, { toolset, toolId: toolId ?? "" }) },
  };
}
