import { create } from "@bufbuild/protobuf";
import { ToolCallsSchema } from "@frontdesk/protos/ces/session_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import { type ToolCall, type ToolDeclaration, toolError } from "#tools";
import { outputOf } from "../callbacks/python-trace.ts";
import { toolContext } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import type { PendingCall } from "../state/session-state.ts";
import type { Variables } from "../state/variables.ts";
import { outputEvent } from "../turn/events.ts";
import type { ChunkInit } from "../turn/recorder.ts";
import type { TurnRun } from "../turn/turn-context.ts";
import { type Answer, type FinishedCall, recordOf, responseChunk, spanOf } from "./call-results.ts";
import { afterTool } from "./tool-callbacks.ts";
import { toolIdentifier } from "./tool-identifier.ts";

/** A fake answers in the client's place; else the client gets the call, and its span comes with the answer. */
export async function forClient(turn: TurnRun, call: ToolCall, tool: Tool, variables: Variables): Promise<Answer> {
  const context = toolContext(turn, variables, call.id);
  const faked = await turn.engine.tools.fake(tool, call, context);
  const answer = faked ?? (await turn.engine.tools.prepareClientCall(tool, call, context));
  turn.signal.throwIfAborted();
  if (answer.kind === "ready") {
    if (answer.record) turn.spans.start("Tool").end({ ...spanOf(turn, call, answer.args), ...outputOf(answer.record) });
    if (answer.record) variables.apply(answer.record.state);
    return { handed: answer };
  }
  variables.apply(answer.state);
  turn.spans.start("Tool").end({ ...spanOf(turn, call, answer.response), ...recordOf(answer) });
  return { response: answer.response };
}

/** Asks the client for what only it can answer; the session keeps the calls until it does (TOOL-12). */
export function* handOut(turn: TurnRun, finished: readonly FinishedCall[]): Generator<TurnEvent, boolean> {
  const waiting = finished.flatMap(({ call, declaration, response }) =>
    declaration && !response ? [{ ...call, tool: declaration.tool }] : [],
  );
  if (waiting.length === 0) return false;
  turn.pending = waiting;
  for (const { payload } of finished) if (payload) yield outputEvent(turn, { case: "payload", value: payload });
  yield toolCallsEvent(turn);
  return true;
}

/** The output that names the calls the client has to answer. */
export function toolCallsEvent(turn: TurnRun): TurnEvent {
  const toolCalls = turn.pending.map(({ id, name, tool, args }) => ({
    id,
    displayName: name,
    args,
    ...toolIdentifier({ tool }),
  }));
  return outputEvent(turn, { case: "toolCalls", value: create(ToolCallsSchema, { toolCalls }) });
}

/** Takes the client's result of a pending call: after_tool callbacks run for it as for any tool. Answers the chunk to record. */
export async function takeClientResult(
  turn: TurnRun,
  { id, name, tool, args }: PendingCall,
  result: JsonObject,
): Promise<ChunkInit> {
  const known = turn.index.tools.get(tool);
  const declaration: ToolDeclaration = known
    ? await turn.engine.tools.declare(known)
    : { name, description: "", parameters: {}, tool, runs: "client" };
  const span = turn.spans.start("Tool");
  span.end({ name, agent: turn.agent.displayName, args, response: result });
  const response = await afterTool(turn, { id, name, args }, declaration, result, turn.variables);
  return responseChunk({ id, name }, declaration, response);
}

/** The chunk for a call that the client left unanswered. A widget has done its work when the user goes on. */
export function abandonedResult({ index }: TurnRun, { id, name, tool }: PendingCall): ChunkInit {
  const isWidget = index.tools.get(tool)?.toolType.case === "widgetTool";
  const response = isWidget
    ? { result: "The widget was shown to the user, whose answer follows." }
    : toolError(`The client did not answer the call of ${name}; the user went on instead.`);
  return responseChunk({ id, name }, { tool }, response);
}
