import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { deepCopy, idOf } from "#aip";
import type { FieldViolation } from "#status";
import { defineResource } from "../define-resource.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { withDerived } from "../resource.ts";
import { isSystemToolName, systemToolsOf } from "../system-tools.ts";

/** Tools of any kind. Broken Python is accepted and is a validation error of the app. */
export const tools = defineResource(ToolSchema, "app", {
  uniqueDisplayName: true,
  deriveOwn,
  validate: (tool) => [...typeViolations(tool), ...reservedNames(tool)],
  virtual: systemToolsOf,
});

/** Display name by type, and the description of a Python function from its docstring (Tool and PythonFunction comments). */
async function deriveOwn(tool: Tool, python: PythonChecks): Promise<Tool> {
  if (tool.toolType.case !== "pythonFunction")
    return withDerived(tool, { displayName: (await python.tools.nameOf(tool)) ?? nameByType(tool) });
  const { entry, docstring } = await python.tool(tool.toolType.value.pythonCode, tool.toolType.value.name);
  const copy = deepCopy(tool);
  copy.displayName = entry || idOf(tool.name);
  if (copy.toolType.case === "pythonFunction") copy.toolType.value.description = docstring;
  return copy;
}

/** The name in the tool's own type; the id where that is empty. */
function nameByType({ name, toolType }: Tool): string {
  switch (toolType.case) {
    case undefined:
      return idOf(name);
    case "mcpTool":
      return toolType.value.nameOverride || toolType.value.name;
    default:
      return toolType.value.name || idOf(name);
  }
}

function typeViolations({ toolType }: Tool): readonly FieldViolation[] {
  if (toolType.case === undefined)
    return [{ field: "tool_type", description: "A tool needs a type, e.g. python_function." }];
  if (toolType.case === "mcpTool") {
    return [
      { field: "mcp_tool", description: "MCP tools are managed by their toolset; create an MCP toolset instead." },
    ];
  }
  if (toolType.case === "systemTool")
    return [{ field: "system_tool", description: "System tools exist in every app and cannot be created." }];
  return [];
}

function reservedNames({ name, displayName, toolType }: Tool): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const description = "This name belongs to a system tool.";
  if (isSystemToolName(idOf(name))) violations.push({ field: "name", description });
  if (isSystemToolName(displayName) && toolType.case !== "systemTool")
    violations.push({ field: "display_name", description });
  return violations;
}
