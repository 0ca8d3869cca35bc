import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { ExecuteToolRequest } from "@frontdesk/protos/ces/tool_service";
import type { Clock, JsonObject } from "#base";
import type { CallContext } from "#rpc";
import { currentDate, variableDefaults } from "#session";
import { failedPrecondition } from "#status";
import {
  createToolMocks,
  readPythonContext,
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
}

/** What a tool answered outside any session, and the variables afterwards. */
export interface ToolExecution {
  readonly response: JsonObject;
  readonly variables: JsonObject;
}

/**
 * Runs a tool by itself, as a test does. It sees the variables' declared defaults and over them the ones of the request; a
 * context brings further attributes. What the tool does wrong is in the response, in the words a model would hear.
 * FAILED_PRECONDITION for tools that no server runs.
 */
export async function executeTool(
  request: ExecuteToolRequest,
  tool: Tool,
  snapshot: AppSnapshot,
  call: Pick<CallContext, "requestId" | "signal">,
  { tools, clock }: ExecuteToolDeps,
): Promise<ToolExecution> {
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
    useFakes: false,
    ...(mocks && { mocks }),
    depth: 0,
    signal: call.signal,
  };
  const id = given.functionCallId ?? call.requestId;
  const outcome = await tools.execute(tool, { id, name: toolName(tool), args: request.args ?? {} }, context);
  call.signal.throwIfAborted();
  return { response: responseOf(outcome, mocks?.unmatched), variables: applied(variables, outcome.state) };
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
