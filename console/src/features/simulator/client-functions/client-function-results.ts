import type { JsonObject } from "@bufbuild/protobuf";
import type { ToolCall } from "@frontdesk/protos/ces/example";
import type { Turn } from "../turn.ts";
import type { ClientResult } from "../turn-input.ts";

/** The results that are sent without asking; undefined unless every call has one. */
export function automaticResults(app: string, calls: readonly ToolCall[]): readonly ClientResult[] | undefined {
  const saved = readSavedResults(app);
  const results = calls.flatMap((call) => {
    const result = saved[call.displayName];
    return result?.automatic ? [resultOf(call, result.response)] : [];
  });
  return calls.length > 0 && results.length === calls.length ? results : undefined;
}

/**
 * The client functions that a session waits for: those of its last turn. Widgets come as calls as well, but what answers them
 * is what the person does next.
 */
export function pendingCalls(turn: Turn | undefined): readonly ToolCall[] {
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

/** The result of a call as it is sent. */
export function resultOf(
  { id, displayName, toolIdentifier }: ToolCall,
  response: ClientResult["response"],
): ClientResult {
  return { id, displayName, tool: toolIdentifier.case === "tool" ? toolIdentifier.value : "", response };
}

/** A remembered result of a client function. */
interface SavedResult {
  readonly response: JsonObject;
  /** Whether it is sent without asking. */
  readonly automatic: boolean;
}

const keyOf = (app: string) => `frontdesk.results.${app}`;

/** The results that this browser remembers for the client functions of an app, by display name. */
export function readSavedResults(app: string): Readonly<Record<string, SavedResult>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(app)) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Record<string, SavedResult>) : {};
  } catch {
    return {};
  }
}

/** Remembers the result of one client function, or forgets it. */
export function writeSavedResult(app: string, tool: string, result: SavedResult | undefined): void {
  const { [tool]: _, ...others } = readSavedResults(app);
  try {
    localStorage.setItem(keyOf(app), JSON.stringify(result ? { ...others, [tool]: result } : others));
  } catch {
    // Without room the next call is answered from scratch.
  }
}
