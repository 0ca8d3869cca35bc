import type { Message, ToolResponse } from "@frontdesk/protos/ces/example";
import { collapseUnderscores, definedFields, isJsonObject, type JsonObject, type JsonValue, mergeJson } from "#base";
import type { ModelPart } from "#models";
import type { JsonList, PythonContext } from "#sandbox";
import { runUserCode, type ToolContext, type UserCodeOutcome } from "#tools";
import { History, type HistoryNames } from "../model-call/history.ts";
import type { PastTurn } from "../state/stored-sessions.ts";
import { predefinedVariables, type Variables } from "../state/variables.ts";
import { agentRunner } from "../tool-calls/run-agent.ts";
import type { EngineCapabilities, TurnView } from "../turn/turn-context.ts";
import { toPythonContent } from "./python-content.ts";

/** A turn as user code needs it. */
export interface UserCodeTurn extends TurnView {
  readonly engine: Pick<EngineCapabilities, "clock" | "ids" | "sandbox" | "tools" | "runTurn">;
}

/** A function of user code. */
type UserFunction = Pick<Parameters<typeof runUserCode>[0], "code" | "filename" | "entry" | "positional">;

/** Runs a function of the app's own Python in the turn. Its changes of the variables are in the outcome, not applied yet. */
export function runInTurn(
  turn: UserCodeTurn,
  call: UserFunction,
  variables: Pick<Variables, "values">,
  functionCallId?: string,
): Promise<UserCodeOutcome> {
  return runUserCode({ ...call, context: toolContext(turn, variables, functionCallId) }, turn.engine);
}

/** What user code, tools and callbacks alike, may use in the turn. */
export function toolContext(
  turn: UserCodeTurn,
  variables: Pick<Variables, "values">,
  functionCallId?: string,
): ToolContext {
  const { request, index, channel, state } = turn;
  return {
    app: index.app.name,
    turn: `${request.session}#${turn.turnIndex}`,
    python: pythonContext(turn, variables, functionCallId),
    appTools: index.toolsByName,
    appToolsets: [...index.toolsets.values()],
    settings: index.app,
    voice: channel.channel === "telephony" || channel.modality === "voice",
    model: state.agent.model,
    useFakes: request.config.useToolFakes,
    ...definedFields({ mocks: request.toolMocks }),
    lastResponse: (tool) => lastResponse(turn, tool),
    runAgent: (agent, text, signal) => agentRunner(turn)(agent, text, signal),
    depth: 0,
    signal: turn.signal,
  };
}

/**
 * The conversation as user code sees it (PY-18, PY-15). Everything that costs is a getter, so that a turn without Python
 * pays nothing.
 */
function pythonContext(turn: TurnView, variables: Pick<Variables, "values">, functionCallId?: string): PythonContext {
  return {
    invocationId: invocationId(turn.sessionId, turn.turnIndex),
    agentName: turn.state.agent.displayName,
    sessionId: turn.sessionId,
    ...definedFields({ functionCallId }),
    get state() {
      return mergeJson(predefinedVariables(turn), variables.values);
    },
    get userContent() {
      return userContent(turn);
    },
    get events() {
      return eventsOf(turn);
    },
    get extra() {
      return extraOf(turn);
    },
  };
}

function invocationId(sessionId: string, turnIndex: number): string {
  return `${sessionId}-${turnIndex}`;
}

function userContent({ events, index, state }: TurnView): JsonValue {
  const own = events.messages.slice(state.userMessagePosition);
  const first = own.find(({ role, chunks }) => role === "user" && chunks.some(isContent));
  return first ? contentOf(first, "user", index) : null;
}

function isContent({ data }: Message["chunks"][number]): boolean {
  return data.case === "text" || data.case === "image" || data.case === "blob" || data.case === "transcript";
}

/** The events of the session, this turn's last. Each is made when code looks at it. */
function eventsOf(turn: TurnView): JsonList {
  const { pastTurns, events, turnIndex } = turn;
  const past = pastTurns.at(-1);
  const now: PastTurn = {
    index: turnIndex,
    messages: events.messages.slice(),
    signatures: {},
    firstEvent: past ? past.firstEvent + past.messages.length : 0,
  };
  return {
    length: now.firstEvent + now.messages.length,
    at: (index) => {
      const { messages, index: number, firstEvent } = index >= now.firstEvent ? now : turnAt(pastTurns, index);
      return eventAt(messages, index - firstEvent, invocationId(turn.sessionId, number), turn.index);
    },
  };
}

/** The turn that has an event, by halving. */
function turnAt(turns: readonly PastTurn[], event: number): PastTurn {
  let [low, high] = [0, turns.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((turns[middle] as PastTurn).firstEvent <= event) low = middle;
    else high = middle - 1;
  }
  return turns[low] as PastTurn;
}

function eventAt(
  messages: readonly Message[],
  position: number,
  invocation: string,
  index: HistoryNames,
): JsonObject | undefined {
  const message = messages[position];
  if (!message) return undefined;
  const known = eventOfMessage.get(message);
  if (known) return known;
  const event = toEvent(message, invocation, position, index);
  eventOfMessage.set(message, event);
  return event;
}

/** A recorded message never changes, so all calls of user code see the same object: the sandbox writes it as JSON once. */
const eventOfMessage = new WeakMap<Message, JsonObject>();

/** One message as an `Event`. Tool responses come from the agent's side but are addressed to the model, hence their role. */
function toEvent(message: Message, invocation: string, position: number, names: HistoryNames): JsonObject {
  const { role, chunks, eventTime } = message;
  const hasToolResponse = chunks.some(({ data }) => data.case === "toolResponse");
  return {
    id: `${invocation}-${position}`,
    invocation_id: invocation,
    author: role,
    timestamp: Number(eventTime?.seconds ?? 0n),
    content: contentOf(message, role === "user" || hasToolResponse ? "user" : "model", names),
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
      actions.state_delta = mergeJson((actions.state_delta ?? {}) as JsonObject, data.value);
    if (data.case === "agentTransfer") actions.transfer_to_agent = data.value.displayName;
  }
  return actions;
}

/** Attributes of `CallbackContext` that the official code model has beside the documented ones. */
function extraOf({ request, index, turnIndex }: TurnView): JsonObject {
  const [, project = "", , location = "", , app = ""] = request.session.split("/");
  return { language_code: index.languageCode, project_id: project, location, app_id: app, turn_index: turnIndex };
}

/** The newest recorded response of a tool in the session, this turn's first. The tool is named by resource name, id or display name. */
function lastResponse(view: TurnView, tool: string): JsonObject | undefined {
  const id = tool.slice(tool.lastIndexOf("/") + 1);
  return (
    newestResponse(view, (name) => name === tool || name === id) ??
    newestResponse(view, (name) => isCollapsed(name, [tool, id]))
  );
}

function isCollapsed(name: string, names: readonly string[]): boolean {
  return names.map(collapseUnderscores).includes(collapseUnderscores(name));
}

function newestResponse({ events, pastTurns }: TurnView, isNamed: (name: string) => boolean): JsonObject | undefined {
  const isOfTool = (response: ToolResponse) => namesOf(response).some(isNamed);
  for (let at = pastTurns.length; at >= 0; at--) {
    const { messages } = pastTurns[at] ?? events;
    const found = responsesOf(messages).findLast(isOfTool)?.response;
    if (found) return isJsonObject(found) ? found : undefined;
  }
  return undefined;
}

function responsesOf(messages: readonly Message[]): readonly ToolResponse[] {
  return messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => (data.case === "toolResponse" ? [data.value] : [])),
  );
}

function namesOf({ displayName, toolIdentifier }: ToolResponse): readonly string[] {
  if (toolIdentifier.case === "toolsetTool") {
    const { toolset, toolId } = toolIdentifier.value;
    return [displayName, toolId, `${toolset}/tools/${toolId}`];
  }
  if (toolIdentifier.case !== "tool") return [displayName];
  return [displayName, toolIdentifier.value, toolIdentifier.value.slice(toolIdentifier.value.lastIndexOf("/") + 1)];
}
