import type { Tool } from "@frontdesk/protos/ces/tool";
import {
  WidgetTool_DataMapping_Mode as Mode,
  type WidgetTool,
  type WidgetTool_DataMapping,
} from "@frontdesk/protos/ces/widget_tool";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { FailedTool, ToolCall, ToolContext } from "./contract.ts";
import { failed } from "./outcomes.ts";
import { runUserCode, toFailedTool, type UserCodeDeps } from "./python/run-user-code.ts";
import { toolLimits } from "./tool-limits.ts";
import { toolName } from "./tool-name.ts";

/** Arguments of a widget from its data mapping, and the record of the code that computed them. */
interface WidgetData {
  readonly kind: "ready";
  readonly args: JsonObject;
  readonly record?: Omit<FailedTool, "kind" | "response" | "error" | "frames">;
}

/** Whether the widget's data mapping fills a field, so that the model does not. */
export function mapsField({ dataMapping }: WidgetTool, field: string): boolean {
  switch (modeOf(dataMapping)) {
    case Mode.FIELD_MAPPING:
      return Object.hasOwn(dataMapping?.fieldMappings ?? {}, field);
    case Mode.PYTHON_SCRIPT:
      return true;
    default:
      return false;
  }
}

/** The tool whose response the widget shows; undefined without a data mapping. */
export function sourceOf({ dataMapping }: WidgetTool): string | undefined {
  return modeOf(dataMapping) === Mode.MODE_UNSPECIFIED ? undefined : dataMapping?.sourceToolName;
}

/** Applies the data mapping to the last response of its source tool (widget_tool.proto: DataMapping). */
export async function widgetData(
  { dataMapping }: WidgetTool,
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  deps: UserCodeDeps,
): Promise<WidgetData | FailedTool> {
  const mode = modeOf(dataMapping);
  if (!dataMapping || mode === Mode.MODE_UNSPECIFIED) return { kind: "ready", args: {} };
  const response = context.lastResponse?.(dataMapping.sourceToolName);
  if (!response) {
    const source = dataMapping.sourceToolName.slice(dataMapping.sourceToolName.lastIndexOf("/") + 1);
    return failed(`Widget '${toolName(tool)}' shows the response of tool '${source}'. Call that tool first.`);
  }
  const output = outputOf(response);
  if (mode === Mode.PYTHON_SCRIPT) return runMapping(dataMapping, output, tool, call, context, deps);
  const fields = Object.entries(dataMapping.fieldMappings).map(
    ([field, path]) => [field, valueAt(output, path)] as const,
  );
  return {
    kind: "ready",
    args: Object.fromEntries(fields.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]]))),
  };
}

/** A mapping without a mode has the mode of its other settings. */
function modeOf(mapping: WidgetTool_DataMapping | undefined): Mode {
  if (!mapping) return Mode.MODE_UNSPECIFIED;
  if (mapping.mode !== Mode.MODE_UNSPECIFIED) return mapping.mode;
  if (codeOf(mapping)) return Mode.PYTHON_SCRIPT;
  return Object.keys(mapping.fieldMappings).length > 0 ? Mode.FIELD_MAPPING : Mode.MODE_UNSPECIFIED;
}

/** The value of a function response without the envelope. */
function outputOf(response: JsonObject): JsonValue {
  return response.result ?? response.output ?? response;
}

/** The value at `a.b.0`; undefined where the path leads nowhere. */
function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const step of path.replace(/^\$\.?/, "").split(".")) {
    if (step === "") continue;
    if (Array.isArray(found)) found = found[Number(step)];
    else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

function codeOf({ pythonFunction, pythonScript }: WidgetTool_DataMapping): string {
  return pythonFunction?.pythonCode || pythonScript;
}

async function runMapping(
  mapping: WidgetTool_DataMapping,
  output: JsonValue,
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  deps: UserCodeDeps,
): Promise<WidgetData | FailedTool> {
  const outcome = await runUserCode(
    {
      code: codeOf(mapping),
      filename: `tools/${toolName(tool)}/widget_tool/data_mapping/python_code.py`,
      entry: mapping.pythonFunction?.name ?? "",
      positional: [{ kind: "json", value: output }],
      context,
      functionCallId: call.id,
      limits: toolLimits(tool),
    },
    deps,
  );
  if (outcome.kind === "failed") return toFailedTool(outcome);
  const { value, returnType, durationMs, output: lines, state, calls } = outcome;
  const record = { durationMs, output: lines, state, calls };
  if (isJsonObject(value)) return { kind: "ready", args: value, record };
  return failed(
    `The data mapping of widget '${toolName(tool)}' returned ${returnType}; it must return a dict.`,
    record,
  );
}
