import type { ToolCall } from "@frontdesk/protos/ces/example";
import type { Turn } from "../turn.ts";

/**
 * The client functions that a session waits for: those of its last turn. Widgets come as calls as well, but what answers them
 * is what the person does next.
 */
export function openCalls(turn: Turn | undefined): readonly ToolCall[] {
  if (turn?.status !== "done") return [];
  const widgets = new Set([
    ...turn.streamed.flatMap((piece) => (piece.kind === "payload" ? widgetName(piece.payload) : [])),
    ...turn.messages.flatMap(({ chunks }) =>
      chunks.flatMap(({ data }) => (data.case === "payload" ? widgetName(data.value) : [])),
    ),
  ]);
  return turn.calls.filter(({ displayName }) => !widgets.has(displayName));
}

function widgetName({ widget }: { readonly widget?: unknown }): readonly string[] {
  return typeof widget === "object" && widget !== null && "name" in widget ? [String(widget.name)] : [];
}
