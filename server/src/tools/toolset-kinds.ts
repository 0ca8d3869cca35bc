import { connectorToolset } from "./connector/connector-toolset.ts";
import { mcpToolset } from "./mcp/mcp-toolset.ts";
import { openApiToolset } from "./open-api/open-api-toolset.ts";
import type { ToolsetCase, ToolsetKind } from "./toolset-kind.ts";

/** Every kind of toolset there is; the compiler notices a missing one. */
export const TOOLSET_KINDS = {
  openApiToolset,
  mcpToolset,
  connectorToolset,
} satisfies { readonly [Case in ToolsetCase]: ToolsetKind<Case> };
