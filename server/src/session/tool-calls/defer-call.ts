import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import { type ToolCall, type ToolOutcome, toolError, toolFailure, toolLimits } from "#tools";
import { toolContext } from "../callbacks/run-callbacks.ts";
import type { Variables } from "../state/variables.ts";
import type { TurnRun } from "../turn/turn-context.ts";

/**
 * Whether a call goes on after its turn. A fake that the session asked for answers at once (TOOL-17, TOOL-19), and so does a
 * tool of an agent that is itself a tool: no later turn would hear the result.
 */
export function isDeferred({ request }: TurnRun, { executionType, toolFakeConfig, toolType }: Tool): boolean {
  if (executionType !== ExecutionType.ASYNCHRONOUS || toolType.case === "clientFunction") return false;
  if (request.callers) return false;
  return !(request.config.useToolFakes && toolFakeConfig?.enableFakeMode);
}

/** Starts a call and answers what the model hears meanwhile, in the hosted words. */
export function deferCall(turn: TurnRun, tool: Tool, call: ToolCall, variables: Variables): JsonObject {
  const stop = new AbortController();
  const context = toolContext(turn, variables, call.id);
  const work = turn.engine.tools.execute(tool, call, {
    ...context,
    // A guest of its own: the turn's may go back to the pool when the turn ends.
    turn: `${context.turn}/${call.id}`,
    signal: stop.signal,
  });
  const { session } = turn.request;
  turn.engine.deferred.start(session, call.id, stop, withinTime(tool, work, stop));
  turn.started.push(call.id);
  turn.deferred = [...turn.deferred, { ...call, tool: tool.name }];
  return tool.toolType.case === "agentTool" ? { response: "pending" } : { result: "pending" };
}

/** The outcome, or a failure when the tool's time is up. Agents take the time they need, as hosted. */
async function withinTime(tool: Tool, work: Promise<ToolOutcome>, stop: AbortController): Promise<ToolOutcome> {
  const safe = work.catch((error: unknown) => toolFailure(error instanceof Error ? error.message : String(error)));
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

/** What is told of a call whose server stopped before it ended. */
export const LOST: JsonObject = toolError("The server stopped before the call ended, so its result is lost.");
