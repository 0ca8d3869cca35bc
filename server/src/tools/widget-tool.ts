import type { Tool } from "@frontdesk/protos/ces/tool";
import {
  WidgetTool_TextResponseConfig_Type as TextType,
  type WidgetTool,
  WidgetTool_WidgetType as WidgetType,
} from "@frontdesk/protos/ces/widget_tool";
import { definedFields, isJsonObject, type JsonObject } from "#base";
import { failed } from "./outcomes.ts";
import { toJsonSchema } from "./schema/json-schema.ts";
import type { ToolKind } from "./tool-kind.ts";
import { toolName } from "./tool-name.ts";
import { mapsField, sourceOf, widgetData } from "./widget-data.ts";

/**
 * A widget that the client shows. It is declared and sent like a client function, but is followed by the user's next input instead of
 * a function response (widget_tool.proto, TOOL-15, TOOL-16). Fields that a data mapping fills are not declared to the model.
 */
export const widgetTool: ToolKind<"widgetTool"> = {
  runs: "client",
  declare: async (definition, tool) => ({
    name: toolName(tool),
    description: definition.description,
    parameters: parametersOf(definition),
    ...accompanyingText(definition),
    ...definedFields({ needsResponseOf: sourceOf(definition) }),
  }),
  prepareClientCall: async (definition, tool, call, context, deps) => {
    const data = await widgetData(definition, tool, call, context, deps);
    if (data.kind === "failed") return data;
    const args = { ...givenArgs(definition, call.args), ...data.args };
    return { ...data, args, payload: { widget: presentationOf(definition, tool, args) } };
  },
  execute: async (_definition, tool) =>
    failed(`Widget '${toolName(tool)}' is shown by the client; the server cannot execute it.`),
};

/** The parameter for the text that goes with the widget, when the model generates it. */
const TEXT_PARAMETER = "text_response";

function parametersOf(definition: WidgetTool): JsonObject {
  const declared: JsonObject =
    definition.input.case === "parameters" ? toJsonSchema(definition.input.value) : { type: "object" };
  const { properties, required, ...rest } = declared;
  const isUnmapped = (name: string) => !mapsField(definition, name);
  const unmapped = Object.entries(isJsonObject(properties) ? properties : {}).filter(([name]) => isUnmapped(name));
  const requiredNames = (Array.isArray(required) ? required.map(String) : []).filter(isUnmapped);
  const text = textParameter(definition);
  const all = [...requiredNames, ...Object.keys(text)];
  return {
    ...rest,
    properties: { ...Object.fromEntries(unmapped), ...text },
    ...(all.length > 0 && { required: all }),
  };
}

/** The text goes to the user, not to the widget. */
function givenArgs(definition: WidgetTool, { [TEXT_PARAMETER]: text, ...given }: JsonObject): JsonObject {
  return text === undefined || hasTextParameter(definition) ? given : { ...given, [TEXT_PARAMETER]: text };
}

function textParameter(definition: WidgetTool): JsonObject {
  if (!hasTextParameter(definition)) return {};
  const instruction = definition.textResponseConfig?.textResponseInstruction;
  const description = instruction || "What is said to the user together with the widget.";
  return { [TEXT_PARAMETER]: { type: "string", description } };
}

function hasTextParameter({ textResponseConfig }: WidgetTool): boolean {
  return textResponseConfig?.type === TextType.LLM_GENERATED;
}

function accompanyingText({
  textResponseConfig,
}: WidgetTool): Pick<Awaited<ReturnType<typeof widgetTool.declare>>, "userText"> {
  if (textResponseConfig?.type === TextType.LLM_GENERATED) return { userText: { parameter: TEXT_PARAMETER } };
  if (textResponseConfig?.type !== TextType.STATIC || textResponseConfig.staticText === "") return {};
  return { userText: { text: textResponseConfig.staticText } };
}

/** The payload for renderers: type and settings of the widget beside its data. */
function presentationOf({ widgetType, uiConfig }: WidgetTool, tool: Tool, parameters: JsonObject): JsonObject {
  const type = WidgetType[widgetType || WidgetType.CUSTOM] ?? "CUSTOM";
  return { name: toolName(tool), type, parameters, ...definedFields({ uiConfig }) };
}
