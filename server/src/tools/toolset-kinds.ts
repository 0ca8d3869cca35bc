import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { connectorToolset } from "./connector/connector-toolset.ts";
import { mcpToolset } from "./mcp/mcp-toolset.ts";
import { openApiToolset } from "./open-api/open-api-toolset.ts";
import type { ToolsetCase, ToolsetDefinition, ToolsetKind } from "./tool-kind.ts";

/** All toolset kinds by the case of `Toolset.toolset_type`; a missing one is a compile error. */
const TOOLSET_KINDS = {
  openApiToolset,
  mcpToolset,
  connectorToolset,
} satisfies { readonly [Case in ToolsetCase]: ToolsetKind<Case> };

/** The kind of a toolset. The table pairs each case with its message type, which the casts of these two functions restate. */
export function toolsetKindOf({ toolsetType }: Toolset): ToolsetKind<ToolsetCase> | undefined {
  return toolsetType.case && (TOOLSET_KINDS[toolsetType.case] as unknown as ToolsetKind<ToolsetCase>);
}

/** The message of a toolset's case. */
export function toolsetDefinitionOf({ toolsetType }: Toolset): ToolsetDefinition<ToolsetCase> {
  return toolsetType.value as ToolsetDefinition<ToolsetCase>;
}
