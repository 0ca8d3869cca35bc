import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import { definedFields, isJsonObject, type JsonObject, type JsonValue, mergeJson, textOrJson } from "#base";
import type { ModelPart } from "#models";
import type { JsonList } from "#sandbox";
import type { AgentNode, AppIndex } from "../app-index.ts";
import { History, type HistoryNames } from "../model-call/history.ts";
import type { PastTurn } from "../state/stored-sessions.ts";
import type { TurnView } from "../turn/turn-context.ts";
import { toPythonPart, transcriptPart } from "./python-content.ts";

/** The id of a turn in events. */
export function invocationId(sessionId: string, turnIndex: number): string {
  return `${sessionId}-${turnIndex}`;
}

/** The content of the user's own message of the turn; null when it has none. */
export function userContent({ events, index, state, sessionId, turnIndex }: TurnView): JsonValue {
  const { messages } = events;
  const position = messages.findIndex(
    ({ role, chunks }, at) => at >= state.userMessagePosition && role === "user" && chunks.some(isContent),
  );
  return eventAt({ messages, index: turnIndex }, position, sessionId, index)?.content ?? null;
}

function isContent({ data }: Message["chunks"][number]): boolean {
  return data.case === "text" || data.case === "image" || data.case === "blob" || data.case === "transcript";
}

/** The events of the session, this turn's last. Each is made when code looks at it. */
export function eventsOf(turn: TurnView): JsonList {
  const { pastTurns, events, turnIndex, sessionId } = turn;
  const past = pastTurns.at(-1);
  const now: PastTurn = {
    index: turnIndex,
    messages: events.messages.slice(),
    signatures: {},
    firstEvent: past ? past.firstEvent + past.messages.length : 0,
  };
  /** The turn of the event that was read last: most code reads its neighbour next. */
  let read = now;
  return {
    length: now.firstEvent + now.messages.length,
    at: (index) => {
      const isInSame = index >= read.firstEvent && index < read.firstEvent + read.messages.length;
      if (!isInSame) read = index >= now.firstEvent ? now : turnAt(pastTurns, index);
      return eventAt(read, index - read.firstEvent, sessionId, turn.index);
    },
  };
}

/** The turn that has an event, by halving. */
function turnAt(turns: TurnView["pastTurns"], event: number): PastTurn {
  let [low, high] = [0, turns.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((turns.at(middle) as PastTurn).firstEvent <= event) low = middle;
    else high = middle - 1;
  }
  return turns.at(low) as PastTurn;
}

function eventAt(
  { messages, index }: Pick<PastTurn, "messages" | "index">,
  position: number,
  sessionId: string,
  names: EventNames,
): JsonObject | undefined {
  const message = messages[position];
  if (!message) return undefined;
  const known = eventOfMessage.get(message);
  if (known) return known;
  const event = toEvent(message, invocationId(sessionId, index), position, names);
  eventOfMessage.set(message, event);
  return event;
}

/** A recorded message never changes, so all calls of user code see the same object: the sandbox writes it as JSON once. */
const eventOfMessage = new WeakMap<Message, JsonObject>();

/** One message as an `Event` (PY-15). Tool responses come from the agent's side but are addressed to the model, hence their role. */
function toEvent(message: Message, invocation: string, position: number, names: EventNames): JsonObject {
  const { role, chunks, eventTime } = message;
  const hasToolResponse = chunks.some(({ data }) => data.case === "toolResponse");
  const goesOn =
    hasToolResponse || chunks.some(({ data }) => data.case === "toolCall" || data.case === "agentTransfer");
  return {
    id: `${invocation}-${position}`,
    invocation_id: invocation,
    author: role,
    timestamp: Number(eventTime?.seconds ?? 0n),
    content: contentOf(message, role === "user" || hasToolResponse ? "user" : "model", names),
    actions: actionsOf(message),
    long_running_tool_ids: longRunningCalls(message, names),
    partial: false,
    turn_complete: !goesOn,
    interrupted: false,
    ...definedFields({ branch: branchOf(names.agentsByDisplayName.get(role)) }),
    ...errorOf(message),
  };
}

/** What events need to know of the app. */
type EventNames = HistoryNames & Pick<AppIndex, "agentsByDisplayName">;

/** The agent and its ancestors from the root, as `Root.Billing`. */
function branchOf(agent: AgentNode | undefined): string | undefined {
  const path = new Set<string>();
  for (let at = agent; at && !path.has(at.displayName); at = at.parent) path.add(at.displayName);
  return path.size === 0 ? undefined : [...path].reverse().join(".");
}

/** Ids of calls whose result comes later: from the client, or from an asynchronous tool. */
function longRunningCalls({ chunks }: Message, { tools }: EventNames): string[] {
  return chunks.flatMap(({ data }) => {
    if (data.case !== "toolCall" || data.value.toolIdentifier.case !== "tool") return [];
    const tool = tools.get(data.value.toolIdentifier.value);
    const { case: kind } = tool?.toolType ?? {};
    const isLater = kind === "clientFunction" || tool?.executionType === ExecutionType.ASYNCHRONOUS;
    return isLater ? [data.value.id] : [];
  });
}

/** The error of a tool: `error` is a special key of function responses (PY-15). */
function errorOf({ chunks }: Message): JsonObject {
  for (const { data } of chunks) {
    const { error } = (data.case === "toolResponse" && isJsonObject(data.value.response) && data.value.response) || {};
    if (error === undefined || error === null || error === "") continue;
    return { error_code: "TOOL_ERROR", error_message: textOrJson(error) };
  }
  return {};
}

function contentOf(message: Message, role: string, names: EventNames): JsonValue {
  const parts = message.chunks.flatMap((chunk): readonly JsonObject[] => {
    if (chunk.data.case === "transcript") return [transcriptPart(chunk.data.value)];
    return partsOf({ ...message, chunks: [chunk] }, names).map(toPythonPart);
  });
  return parts.length === 0 ? null : { role, parts: [...parts] };
}

/** The parts that code sees: those of the model's history, custom payloads too, state updates not. */
function partsOf(message: Message, names: EventNames): readonly ModelPart[] {
  const [chunk] = message.chunks;
  if (chunk?.data.case === "payload") {
    return [
      { kind: "blob", mimeType: "application/json", data: new TextEncoder().encode(JSON.stringify(chunk.data.value)) },
    ];
  }
  if (chunk?.data.case === "agentTransfer") {
    const args = { agent_name: chunk.data.value.displayName };
    return [{ kind: "function-call", id: "", name: "transfer_to_agent", args }];
  }
  const history = new History({ tools: names.tools, toolsets: names.toolsets, dynamicNames: NO_NAMES });
  history.append(message, { turn: 0, position: 0 });
  return history.messages().flatMap(({ parts }) => parts);
}

const NO_NAMES: ReadonlySet<string> = new Set();

function actionsOf({ chunks }: Message): JsonObject {
  const actions: JsonObject = {};
  for (const { data } of chunks) {
    if (data.case === "updatedVariables")
      actions.state_delta = mergeJson((actions.state_delta ?? {}) as JsonObject, data.value);
    if (data.case === "agentTransfer") actions.transfer_to_agent = data.value.displayName;
    if (data.case === "toolCall" && data.value.displayName === "end_session") {
      actions.end_invocation = true;
      actions.escalate = /^true$/i.test(String(data.value.args?.session_escalated));
    }
  }
  return actions;
}
