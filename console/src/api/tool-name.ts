import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { FieldErrors } from "./field-errors.ts";

/** Words that Python reserves: a function or an attribute of `tools` cannot have such a name. */
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** Why a model and Python code cannot call a tool by this name; undefined when they can. An empty name is left to the form. */
export function toolNameError(name: string): string | undefined {
  if (name === "") return undefined;
  if (KEYWORDS.has(name)) return `“${name}” is reserved in Python. Choose another name.`;
  if (/^\d/.test(name)) return "A tool name starts with a letter or an underscore.";
  return /^\w+$/.test(name) ? undefined : "A tool name has only the letters a to z, digits and underscores.";
}

/** The same of a toolset: its name is the prefix of the names of its tools, with underscores for hyphens. */
export function toolsetNameError(name: string): string | undefined {
  return name === "" ? undefined : toolNameError(`${name.replaceAll("-", "_")}_`);
}

/** The error of a new name of a tool, at its field. A name that an import brought stays as it is. */
export function toolNameErrors(tool: Tool, before: Tool): FieldErrors {
  const name = nameOf(tool);
  const error = name === nameOf(before) ? undefined : toolNameError(name);
  const field = ToolSchema.fields.find(({ localName }) => localName === tool.toolType.case);
  return new Map(error && field ? [[`${field.name}.name`, error]] : []);
}

/** The same of a toolset. */
export function toolsetNameErrors({ displayName }: Toolset, before: Toolset): FieldErrors {
  const error = displayName === before.displayName ? undefined : toolsetNameError(displayName);
  return new Map(error ? [["display_name", error]] : []);
}

function nameOf({ toolType: { value } }: Tool): string {
  return value && "name" in value ? value.name : "";
}
