import type { JsonObject } from "@bufbuild/protobuf";
import type { ToolCall } from "@frontdesk/protos/ces/example";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { WidgetTool_WidgetType as WidgetType } from "@frontdesk/protos/ces/widget_tool";
import type { StreamedOutput, Turn } from "./turn.ts";

/**
 * Recorded turns with their widgets rendered again. The record contains the calls only; the kind of widget comes from the tool.
 * The result of a data mapping is in neither, so such a widget is rendered with the model's arguments.
 */
export function withRecordedWidgets(turns: readonly Turn[], tools: readonly Tool[]): readonly Turn[] {
  return turns.map((turn) => {
    const widgets = callsOf(turn).flatMap((call) => widgetOf(call, tools));
    return widgets.length > 0 ? { ...turn, streamed: [...turn.streamed, ...widgets] } : turn;
  });
}

/** What a recorded turn called. */
export function callsOf({ messages }: Turn): readonly ToolCall[] {
  return messages.flatMap(({ chunks }) => chunks.flatMap(({ data }) => (data.case === "toolCall" ? [data.value] : [])));
}

function widgetOf({ toolIdentifier, displayName, args }: ToolCall, tools: readonly Tool[]): readonly StreamedOutput[] {
  const tool = tools.find(({ name }) => toolIdentifier.case === "tool" && name === toolIdentifier.value);
  if (tool?.toolType.case !== "widgetTool") return [];
  const { widgetType } = tool.toolType.value;
  const widget: JsonObject = { type: WidgetType[widgetType] ?? "", name: displayName, parameters: args ?? {} };
  return [{ kind: "payload", payload: { widget } }];
}
