import type { PackagedResource } from "../kinds.ts";

/**
 * Why a well-formed resource cannot live in an app, whatever else the package holds; undefined when it can. Such a resource
 * is left out and the rest is imported (PKG-28), as `ImportAppResponse.warnings` promises.
 */
export function impossibleBecause(message: PackagedResource): string | undefined {
  if (message.$typeName === "google.cloud.ces.v1beta.Tool") {
    const type = message.toolType.case;
    if (type === undefined) return "a tool needs a type, e.g. pythonFunction";
    if (type === "systemTool") return "system tools exist in every app and need no manifest";
    if (type === "mcpTool") return "MCP tools are managed by their toolset; use a toolset with mcpToolset";
  }
  if (message.$typeName === "google.cloud.ces.v1beta.Toolset" && message.toolsetType.case === undefined) {
    return "a toolset needs a type, e.g. openApiToolset";
  }
  return undefined;
}
