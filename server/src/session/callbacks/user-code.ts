import type { Message, ToolResponse } from "@frontdesk/protos/ces/example";
import { collapseUnderscores, definedFields, isJsonObject, type JsonObject, mergeJson } from "#base";
import type { PythonContext } from "#sandbox";
import { runUserCode, type ToolContext, type UserCodeOutcome } from "#tools";
import { modelSettingsOf } from "../model-call/model-settings.ts";
import { predefinedVariables, type Variables } from "../state/variables.ts";
import { agentRunner } from "../tool-calls/run-agent.ts";
import type { EngineCapabilities, TurnView } from "../turn/turn-context.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { eventsOf, invocationId, userContent } from "./events.ts";

/** A turn as user code needs it. */
export interface UserCodeTurn extends TurnView {
  readonly state: TurnView["state"] & Pick<TurnState, "markActed">;
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

/** What user code, tools and callbacks alike, may use in the turn. Who gets it acts: from then on the turn is not given up. */
export function toolContext(
  turn: UserCodeTurn,
  variables: Pick<Variables, "values">,
  functionCallId?: string,
): ToolContext {
  const { request, index, channel } = turn;
  turn.state.markActed();
  return {
    app: index.app.name,
    // Not the session and its turn: what code left in the interpreter would be there when the turn fails and comes again (PY-65).
    turn: turn.runId,
    python: pythonContext(turn, variables, functionCallId),
    appTools: index.toolsByName,
    appToolsets: [...index.toolsets.values()],
    settings: index.app,
    voice: channel.channel === "telephony" || channel.modality === "voice",
    model: modelSettingsOf(turn).model,
    useFakes: request.config.useToolFakes,
    ...definedFields({ mocks: request.toolMocks }),
    lastResponse: (tool) => lastResponse(turn, tool),
    runAgent: (agent, text, call) => agentRunner(turn)(agent, text, call),
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

/** Attributes of `CallbackContext` that the official code model has beside the documented ones. */
function extraOf({ request, index, turnIndex }: TurnView): JsonObject {
  const [, project = "", , location = "", , app = ""] = request.session.split("/");
  return { language_code: index.languageCode, project_id: project, location, app_id: app, turn_index: turnIndex };
}

/**
 * The newest recorded response of a tool in the session, this turn's first. The tool is named by resource name, id or display name; one that was spelled so
 * goes before one with other underscores.
 */
export function lastResponse(view: TurnView, tool: string): JsonObject | undefined {
  const spelled = new Set([tool, tool.slice(tool.lastIndexOf("/") + 1)]);
  const collapsed = new Set([...spelled].map(collapseUnderscores));
  let similar: ToolResponse | undefined;
  for (const messages of turnsNewestFirst(view)) {
    for (const response of responsesOf(messages).toReversed()) {
      const names = namesOf(response);
      if (names.some((name) => spelled.has(name))) return objectOf(response);
      similar ??= names.some((name) => collapsed.has(collapseUnderscores(name))) ? response : undefined;
    }
  }
  return similar && objectOf(similar);
}

function objectOf({ response }: ToolResponse): JsonObject | undefined {
  return isJsonObject(response) ? response : undefined;
}

function* turnsNewestFirst({ events, pastTurns }: TurnView): Generator<readonly Message[], void> {
  yield events.messages;
  for (let at = pastTurns.length - 1; at >= 0; at--) yield pastTurns.at(at)?.messages ?? [];
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
