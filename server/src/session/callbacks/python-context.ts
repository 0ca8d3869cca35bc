import type { Message } from "@frontdesk/protos/ces/example";
import type { JsonObject, JsonValue } from "#base";
import type { ModelPart } from "#models";
import type { PythonContext } from "#sandbox";
import { History, type HistoryNames } from "../model-call/history.ts";
import { toPythonContent } from "../model-call/python-content.ts";
import { predefinedOf, type Variables } from "../state/variables.ts";
import type { TurnRun } from "../turn/turn-context.ts";

/**
 * The conversation as user code sees it (PY-18, PY-15). Everything that costs is a getter, so that a turn without Python
 * pays nothing.
 */
export function pythonContext(turn: TurnRun, variables: Variables, functionCallId?: string): PythonContext {
  return {
    invocationId: invocationId(turn.sessionId, turn.turnIndex),
    agentName: turn.agent.displayName,
    sessionId: turn.sessionId,
    ...(functionCallId !== undefined && { functionCallId }),
    get state() {
      return { ...predefinedOf(turn), ...variables.values };
    },
    get userContent() {
      return userContent(turn);
    },
    get events() {
      return [...pastEvents(turn), ...turnEvents(turn.recorder.messages, turn.turnIndex, turn)];
    },
    get extra() {
      return extraOf(turn);
    },
  };
}

function invocationId(sessionId: string, turnIndex: number): string {
  return `${sessionId}-${turnIndex}`;
}

function userContent({ recorder, index, userMessage }: TurnRun): JsonValue {
  const own = recorder.messages.slice(userMessage);
  const first = own.find(({ role, chunks }) => role === "user" && chunks.some(isContent));
  return first ? contentOf(first, "user", index) : null;
}

function isContent({ data }: Message["chunks"][number]): boolean {
  return data.case === "text" || data.case === "image" || data.case === "blob" || data.case === "transcript";
}

function pastEvents(turn: TurnRun): readonly JsonObject[] {
  return turn.pastTurns.flatMap(({ messages, index }) => turnEvents(messages, index, turn));
}

function turnEvents(
  messages: readonly Message[],
  turnIndex: number,
  { sessionId, index }: TurnRun,
): readonly JsonObject[] {
  return messages.map((message, position) => {
    const known = eventOfMessage.get(message);
    if (known) return known;
    const event = toEvent(message, invocationId(sessionId, turnIndex), position, index);
    eventOfMessage.set(message, event);
    return event;
  });
}

/** A recorded message never changes, so all calls of user code see the same object: the sandbox writes it as JSON once. */
const eventOfMessage = new WeakMap<Message, JsonObject>();

/** One message as an `Event`. Results of tools come from the agent's side but speak to the model, hence their role. */
function toEvent(message: Message, invocation: string, position: number, names: HistoryNames): JsonObject {
  const { role, chunks, eventTime } = message;
  const answersModel = chunks.some(({ data }) => data.case === "toolResponse");
  return {
    id: `${invocation}-${position}`,
    invocation_id: invocation,
    author: role,
    timestamp: Number(eventTime?.seconds ?? 0n),
    content: contentOf(message, role === "user" || answersModel ? "user" : "model", names),
    actions: actionsOf(message),
    long_running_tool_ids: [],
  };
}

function contentOf(message: Message, role: string, names: HistoryNames): JsonValue {
  const parts = message.chunks.flatMap((chunk) => partsOf({ ...message, chunks: [chunk] }, names));
  return parts.length === 0 ? null : toPythonContent(role, parts);
}

/** The parts that code sees: those of the model's history, custom payloads too, state updates not. */
function partsOf(message: Message, names: HistoryNames): readonly ModelPart[] {
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
      actions.state_delta = { ...(actions.state_delta as JsonObject), ...data.value };
    if (data.case === "agentTransfer") actions.transfer_to_agent = data.value.displayName;
  }
  return actions;
}

/** Attributes of `CallbackContext` that the official code model has beside the documented ones. */
function extraOf({ request, index, turnIndex }: TurnRun): JsonObject {
  const [, project = "", , location = "", , app = ""] = request.session.split("/");
  return { language_code: index.languageCode, project_id: project, location, app_id: app, turn_index: turnIndex };
}
