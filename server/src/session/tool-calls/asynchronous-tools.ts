import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { definedFields, type JsonObject, thrownMessage } from "#base";
import { collectSources, type ToolCall, type ToolOutcome, toolFailure, toolLimits } from "#tools";
import { toolContext, type UserCodeTurn } from "../callbacks/user-code.ts";
import type { TurnEvent } from "../contract.ts";
import type { PendingCall } from "../state/session-state.ts";
import type { Variables } from "../state/variables.ts";
import { toolCallAttributes } from "../trace.ts";
import { lateResultText } from "../turn/context-texts.ts";
import type { EngineCapabilities, Turn, TurnContext } from "../turn/turn-context.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { LOST } from "./deferred-calls.ts";

/**
 * Whether a call continues after its turn. A fake that the session asked for answers at once (TOOL-17, TOOL-19), and so does a
 * tool of an agent that is itself a tool: no later turn would get the result.
 */
export function isDeferred({ request }: TurnContext, { executionType, toolFakeConfig, toolType }: Tool): boolean {
  if (executionType !== ExecutionType.ASYNCHRONOUS || toolType.case === "clientFunction") return false;
  if (request.callers) return false;
  return !(request.config.useToolFakes && toolFakeConfig?.enableFakeMode);
}

/**
 * Whether the session goes on while the client works on a call (TOOL-52). A tool of an agent that is itself a tool cannot ask the client at all, and a client
 * of A2A learns of calls by a task that waits for it.
 */
export function isLeftToClient({ request }: TurnContext, { executionType, toolType }: Tool): boolean {
  if (executionType !== ExecutionType.ASYNCHRONOUS || toolType.case !== "clientFunction") return false;
  return !request.callers && !request.awaitsClient;
}

interface DeferringTurn extends UserCodeTurn {
  readonly state: UserCodeTurn["state"] & Pick<TurnState, "deferCall">;
  readonly engine: UserCodeTurn["engine"] & Pick<EngineCapabilities, "deferredCalls">;
}

/** Starts a call that continues after its turn. Returns the response that the model gets meanwhile, in the hosted words. */
export function deferCall(turn: DeferringTurn, tool: Tool, call: ToolCall, variables: Variables): JsonObject {
  const stop = new AbortController();
  const context = toolContext(turn, variables, call.id);
  const work = turn.engine.tools.execute(tool, call, {
    ...context,
    // A guest of its own: the turn's may go back to the pool when the turn ends.
    turn: `${context.turn}/${call.id}`,
    signal: stop.signal,
  });
  turn.engine.deferredCalls.start(turn.request.session, call.id, stop, withinTime(tool, work, stop));
  const { server } = turn.engine.deferredCalls;
  turn.state.deferCall({ ...call, tool: tool.name, ...definedFields({ server }) });
  return tool.toolType.case === "agentTool" ? { response: "pending" } : { result: "pending" };
}

/** The outcome, or a failure when the tool's time is up. Agents take the time they need, as hosted. */
async function withinTime(tool: Tool, work: Promise<ToolOutcome>, stop: AbortController): Promise<ToolOutcome> {
  const safe = work.catch((error: unknown) => toolFailure(thrownMessage(error)));
  if (tool.toolType.case === "agentTool") return safe;
  const { wallMs } = toolLimits(tool);
  const { promise, resolve } = Promise.withResolvers<ToolOutcome>();
  const timer = setTimeout(() => {
    resolve(toolFailure(`Code execution timed out: the tool did not answer within ${wallMs / 1000} s.`));
    stop.abort();
  }, wallMs);
  timer.unref();
  return Promise.race([safe, promise]).finally(() => clearTimeout(timer));
}

/**
 * Records the outcomes of asynchronous calls that have ended since the last turn, and what the client answered to calls that the user did not
 * wait for (TOOL-46): each as a message of the user that the user never wrote (TOOL-18, CB-15). after_tool callbacks do not run for it.
 * Returns how many there were.
 */
export async function* recordLateResults(turn: Turn): AsyncGenerator<TurnEvent, number> {
  const { state, variables, events, engine, request } = turn;
  let count = 0;
  for (const call of state.deferredCalls) {
    const outcome = await engine.deferredCalls.outcomeOf(request.session, call);
    if (outcome === "running") continue;
    const known = outcome === "lost" ? LOST : outcome;
    variables.apply(known.state);
    state.addSources(collectSources(known));
    traceLateResult(turn, call, known.response);
    const text = lateResultText(call.name, known.kind === "failed", known.response);
    yield* events.record("user", [{ case: "text", value: text }]);
    state.reportCall(call.id);
    count++;
  }
  return count + (yield* recordOvertaken(turn));
}

async function* recordOvertaken(turn: Turn): AsyncGenerator<TurnEvent, number> {
  const { state, events } = turn;
  let count = 0;
  for (const { response, ...call } of state.overtakenCalls) {
    if (response === undefined) continue;
    traceLateResult(turn, call, response);
    const failed = response.status === "error" || response.error !== undefined;
    yield* events.record("user", [{ case: "text", value: lateResultText(call.name, failed, response) }]);
    state.settleOvertaken(call.id);
    count++;
  }
  return count;
}

function traceLateResult(
  { state, spans }: Pick<Turn, "state" | "spans">,
  call: PendingCall,
  response: JsonObject,
): void {
  spans.start("Tool").end({ ...toolCallAttributes(state.agent.displayName, call, response), asynchronous: true });
}
