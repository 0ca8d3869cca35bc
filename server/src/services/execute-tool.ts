import type { Tool } from "@frontdesk/protos/ces/tool";
import type { ExecuteToolRequest } from "@frontdesk/protos/ces/tool_service";
import type { Clock, Ids, JsonObject } from "#base";
import type { CallContext } from "#rpc";
import { createAgentRunner, currentDate, type SessionEngine, type SnapshotRef, variableDefaults } from "#session";
import { failedPrecondition } from "#status";
import {
  citationsOf,
  createToolMocks,
  type RunAgent,
  readPythonContext,
  sourcesOf,
  suggestionsOf,
  type ToolContext,
  type ToolOutcome,
  type ToolStateChange,
  type Tools,
  toolError,
  toolName,
} from "#tools";

export interface ExecuteToolDeps {
  readonly tools: Tools;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "uuid">;
  /** Answers for agents that are called as tools. */
  readonly sessions: Pick<SessionEngine, "runTurn">;
}

/** What a tool answered outside any session, and the variables afterwards. */
export interface ToolExecution {
  readonly response: JsonObject;
  readonly variables: JsonObject;
  readonly citations?: ReturnType<typeof citationsOf>;
  readonly googleSearchSuggestions?: ReturnType<typeof suggestionsOf>;
}

/**
 * Runs a tool by itself, as a test does. It sees the variables' declared defaults and over them the ones of the request; a
 * context brings further attributes. What the tool does wrong is in the response, in the words a model would hear.
 * FAILED_PRECONDITION for tools that no server runs.
 */
export async function executeTool(
  request: ExecuteToolRequest,
  tool: Tool,
  ref: SnapshotRef,
  call: Pick<CallContext, "requestId" | "signal">,
  deps: ExecuteToolDeps,
): Promise<ToolExecution> {
  const { tools, clock } = deps;
  const { snapshot } = ref;
  refuseOtherPlaces(tool, tools);
  const given = contextOf(request);
  const variables = { ...(snapshot.app && variableDefaults(snapshot.app)), ...given.state };
  const today = currentDate(clock.now(), snapshot.app?.timeZoneSettings?.timeZone ?? "");
  const mocks = request.mockConfig && createToolMocks(request.mockConfig);
  const context: ToolContext = {
    app: request.parent,
    turn: `execute ${call.requestId}`,
    python: { ...given, state: { current_date: today, ...variables } },
    appTools: new Map(snapshot.tools.map((candidate) => [toolName(candidate), candidate])),
    appToolsets: snapshot.toolsets,
    settings: snapshot.app,
    model: snapshot.app?.modelSettings?.model ?? "",
    useFakes: false,
    runAgent: mocks ? REAL_TOOLS_ONLY : agentsOf(request.parent, ref, variables, deps),
    ...(mocks && { mocks }),
    depth: 0,
    signal: call.signal,
  };
  const id = given.functionCallId ?? call.requestId;
  const outcome = await tools.execute(tool, { id, name: toolName(tool), args: request.args ?? {} }, context);
  call.signal.throwIfAborted();
  return {
    response: responseOf(outcome, mocks?.unmatched),
    variables: applied(variables, outcome.state),
    ...toldSources(outcome),
  };
}

/** An agent's tools belong to its own conversation, which a test's answers do not reach. */
const REAL_TOOLS_ONLY: RunAgent = async () => ({
  kind: "failed",
  error: "The tools of an agent cannot be mocked; execute the agent tool without mock_config.",
});

function agentsOf(app: string, snapshot: SnapshotRef, variables: JsonObject, deps: ExecuteToolDeps): RunAgent {
  const { sessions, ids } = deps;
  const runTurn: SessionEngine["runTurn"] = (turn) => sessions.runTurn(turn);
  return createAgentRunner({ runTurn, ids }, { app, snapshot, variables, callers: [] });
}

/** Where the answer comes from, as a session's client is told of it. */
function toldSources(outcome: ToolOutcome): Pick<ToolExecution, "citations" | "googleSearchSuggestions"> {
  const { cited, suggestions } = sourcesOf(outcome);
  return {
    ...(cited.length > 0 && { citations: citationsOf(cited) }),
    ...(suggestions.length > 0 && { googleSearchSuggestions: suggestionsOf(suggestions) }),
  };
}

function refuseOtherPlaces(tool: Tool, tools: Tools): void {
  const place = tools.placeOf(tool);
  if (place === "server") return;
  const why =
    place === "client"
      ? "runs in the client, which is asked for it in a session"
      : "acts on a session, where an agent calls it";
  throw failedPrecondition(`Tool '${toolName(tool)}' cannot be executed by itself: it ${why}.`, {
    reason: "TOOL_NOT_EXECUTABLE",
    metadata: { tool: tool.name },
  });
}

/** The variables that a request brings. */
export function givenVariables(request: ExecuteToolRequest): JsonObject {
  return contextOf(request).state;
}

function contextOf({ toolExecutionContext }: ExecuteToolRequest): ToolContext["python"] {
  switch (toolExecutionContext.case) {
    case "context":
      return readPythonContext(toolExecutionContext.value, "context");
    case "variables":
      return readPythonContext({ state: toolExecutionContext.value }, "variables");
    default:
      return readPythonContext({}, "context");
  }
}

/** Code that goes on after a call that had to be mocked must not hide it. */
function responseOf({ response }: ToolOutcome, unmatched: readonly string[] = []): JsonObject {
  return unmatched.length > 0 ? toolError(unmatched.join(" ")) : response;
}

function applied(variables: JsonObject, { set, removed }: ToolStateChange): JsonObject {
  const left = Object.entries({ ...variables, ...set }).filter(([name]) => !removed.includes(name));
  return Object.fromEntries(left);
}
