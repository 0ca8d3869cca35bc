import type { DescField } from "@bufbuild/protobuf";
import { fieldId } from "../message/message-fields.ts";

/** Fields whose text lies in a file of its own (PKG-19), and that file's ending. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["App.global_instruction", "txt"],
  ["Agent.instruction", "txt"],
  ["Callback.python_code", "py"],
  ["PythonFunction.python_code", "py"],
  ["CodeBlock.python_code", "py"],
  ["PythonCodeCondition.python_code", "py"],
  ["WidgetTool.DataMapping.python_script", "py"],
  ["OpenApiToolset.open_api_schema", "yaml"],
  ["OpenApiTool.open_api_schema", "yaml"],
]);

/** Whether a field's text is a file of its own in a package. */
export function isTextField(field: DescField): boolean {
  return EXTENSIONS.has(fieldId(field));
}

/** Whether a field's text is Python. */
export function isPythonField(field: DescField): boolean {
  return EXTENSIONS.get(fieldId(field)) === "py";
}

/**
 * Where an export puts a text, below its resource's folder: the field's path with every name in snake_case and every list
 * position as a two-digit count from 1. `beforeAgentCallbacks[0].pythonCode` becomes
 * `before_agent_callbacks/before_agent_callbacks_01/python_code.py`. All paths seen (PKG-19) follow this; those
 * never seen (guardrail callbacks, transfer rules) are made the same way.
 */
export function textPath(field: DescField, path: string): string {
  const parts = path.split(".").flatMap((part) => {
    const [, name = part, index] = /^(\w+)\[(\d+)\]$/.exec(part) ?? [];
    const folder = snakeCase(name);
    return index === undefined ? [folder] : [folder, `${folder}_${String(Number(index) + 1).padStart(2, "0")}`];
  });
  return `${parts.join("/")}.${EXTENSIONS.get(fieldId(field)) ?? "txt"}`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
