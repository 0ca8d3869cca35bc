import type { App } from "@frontdesk/protos/ces/app";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { ExecuteToolRequest } from "@frontdesk/protos/ces/tool_service";
import { type Clock, type Ids, type JsonObject, knownTimeZone } from "#base";
import type { CallContext } from "#rpc";
import { createAgentRunner, currentDate, type SessionEngine, type SnapshotRef, variableDefaults } from "#session";
import { failedPrecondition } from "#status";
import {
  collectSources,
  createToolMocks,
  type RunAgent,
  readPythonContext,
  type ToolContext,
  type ToolOutcome,
  type ToolStateChange,
  type Tools,
  toCitations,
  toolError,
  toolName,
  toSearchSuggestions,
} from "#tools";

export interface ExecuteToolDeps {
  readonly tools: Tools;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "uuid">;
  /** Runs agents that are called as tools. */
  readonly sessions: Pick<SessionEngine, "runTurn">;
}

/** The result of a tool that ran outside a session, and the variables afterwards. */
interface ToolExecution {
  readonly response: JsonObject;
  readonly variables: JsonObject;
  readonly citations?: ReturnType<typeof toCitations>;
  readonly googleSearchSuggestions?: ReturnType<typeof toSearchSuggestions>;
}

/**
 * Runs a tool outside a session, as a test does (TOOL-23). It sees the declared defaults of the variables, overridden by those of the request;
 * a context of the request sets more attributes. A failure of the tool is in the response, as a model would get it.
 * FAILED_PRECONDITION for tools that the server does not run.
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
  requireServerTool(tool, tools);
  const given = contextOf(request);
  const variables = { ...(snapshot.app && variableDefaults(snapshot.app)), ...given.state };
  const today = currentDate(clock.now(), knownTimeZone(snapshot.app?.timeZoneSettings?.timeZone));
  const mocks = request.mockConfig && createToolMocks(request.mockConfig);
  const context: ToolContext = {
    app: request.parent,
    turn: `execute ${call.requestId}`,
    python: {
      ...given,
      state: { current_date: today, ...variables },
      extra: { ...placeOf(request.parent, snapshot.app), ...given.extra },
    },
    appTools: new Map(snapshot.tools.map((candidate) => [toolName(candidate), candidate])),
    appToolsets: snapshot.toolsets,
    settings: snapshot.app,
    model: snapshot.app?.modelSettings?.model ?? "",
    useFakes: false,
    runAgent: mocks ? REJECT_AGENTS : agentRunner(request.parent, ref, deps),
    mocks,
    depth: 0,
    signal: call.signal,
  };
  const id = given.functionCallId ?? call.requestId;
  const outcome = await tools.execute(tool, { id, name: toolName(tool), args: request.args ?? {} }, context);
  call.signal.throwIfAborted();
  return {
    response: responseOf(outcome, mocks?.unmatched),
    variables: withChanges(variables, outcome.state),
    ...groundingOf(outcome),
  };
}

/** Where the app is, as code sees it in a turn too; a context of the request may say otherwise. */
function placeOf(parent: string, app: App | undefined): JsonObject {
  const [, project = "", , location = "", , id = ""] = parent.split("/");
  const language = app?.languageSettings?.defaultLanguageCode ?? "";
  return { language_code: language, project_id: project, location, app_id: id };
}

/** An agent calls tools in a conversation of its own, where the mocks of the request do not apply. */
const REJECT_AGENTS: RunAgent = async () => ({
  kind: "failed",
  error: "The tools of an agent cannot be mocked; execute the agent tool without mock_config.",
});

function agentRunner(app: string, snapshot: SnapshotRef, deps: ExecuteToolDeps): RunAgent {
  const { sessions, ids } = deps;
  const runTurn: SessionEngine["runTurn"] = (turn) => sessions.runTurn(turn);
  return createAgentRunner({ runTurn, ids }, { app, snapshot, callers: [] });
}

/** The sources of the result, in the form that sessions return. */
function groundingOf(outcome: ToolOutcome): Pick<ToolExecution, "citations" | "googleSearchSuggestions"> {
  const { cited, suggestions } = collectSources(outcome);
  return {
    ...(cited.length > 0 && { citations: toCitations(cited) }),
    ...(suggestions.length > 0 && { googleSearchSuggestions: toSearchSuggestions(suggestions) }),
  };
}

function requireServerTool(tool: Tool, tools: Tools): void {
  const place = tools.placeOf(tool);
  if (place === "server") return;
  const why =
    place === "client"
      ? "runs in the client, which gets the call in a session"
      : "acts on a session, where an agent calls it";
  throw failedPrecondition(`Tool '${toolName(tool)}' cannot be executed by itself: it ${why}.`, {
    reason: "TOOL_NOT_EXECUTABLE",
    metadata: { tool: tool.name },
  });
}

/** The variables of a request. */
export function requestVariables(request: ExecuteToolRequest): JsonObject {
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

/** A call without a matching mock is an error, even when the code that made the call ignores it. */
function responseOf({ response }: ToolOutcome, unmatched: readonly string[] = []): JsonObject {
  return unmatched.length > 0 ? toolError(unmatched.join(" ")) : response;
}

function withChanges(variables: JsonObject, { set, removed }: ToolStateChange): JsonObject {
  const remaining = Object.entries({ ...variables, ...set }).filter(([name]) => !removed.includes(name));
  return Object.fromEntries(remaining);
}
