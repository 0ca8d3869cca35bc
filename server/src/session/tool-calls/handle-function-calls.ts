import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import { type ClientCall, type ToolCall, type ToolDeclaration, type ToolOutcome, toolError } from "#tools";
import { toolContext } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import type { Variables } from "../state/variables.ts";
import { noteSources } from "../turn/cite-sources.ts";
import { record } from "../turn/events.ts";
import type { TurnRun } from "../turn/turn-context.ts";
import { type Answer, type FinishedCall, recordOf, responseChunk, spanOf } from "./call-results.ts";
import { forClient, handOut } from "./client-calls.ts";
import { deferCall, isDeferred } from "./defer-call.ts";
import { afterTool, beforeTool } from "./tool-callbacks.ts";

/** A call and who answers it: a tool, or a refusal that the model hears. */
export type CallPlan =
  | { readonly call: ToolCall; readonly declaration: ToolDeclaration; readonly tool: Tool | undefined }
  | { readonly call: ToolCall; readonly refusal: JsonObject };

/**
 * Makes the calls of one model output and records what they answered, in call order. At the same time unless the app says
 * one after the other; concurrent calls all start from the same variables, and per variable the last in call order wins
 * (TOOL-5). Answers whether the client has to answer any.
 */
export async function* runCalls(turn: TurnRun, plans: readonly CallPlan[]): AsyncGenerator<TurnEvent, boolean> {
  if (plans.length === 0) return false;
  const finished = turn.index.sequentialTools ? await runInOrder(turn, plans) : await runTogether(turn, plans);
  yield* recordResponses(turn, finished);
  return yield* handOut(turn, finished);
}

async function runInOrder(turn: TurnRun, plans: readonly CallPlan[]): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  for (const plan of plans) finished.push(await runCall(turn, plan, turn.variables));
  return finished;
}

async function runTogether(turn: TurnRun, plans: readonly CallPlan[]): Promise<readonly FinishedCall[]> {
  const strands = plans.map(() => turn.variables.fork());
  const finished = await Promise.all(
    plans.map((plan, position) => runCall(turn, plan, strands[position] ?? turn.variables)),
  );
  for (const { changes } of strands) for (const change of changes) turn.variables.apply(change);
  return finished;
}

/** before_tool, the tool (or its fake), after_tool. */
async function runCall(turn: TurnRun, plan: CallPlan, variables: Variables): Promise<FinishedCall> {
  if ("refusal" in plan) {
    refuse(turn, plan.call, plan.refusal);
    return { call: plan.call, declaration: undefined, response: plan.refusal };
  }
  const { declaration, tool } = plan;
  const { call, override } = await beforeTool(turn, plan.call, declaration, variables);
  const answer = override ? { response: override } : await execute(turn, call, declaration, tool, variables);
  if ("handed" in answer) {
    const { args, payload } = answer.handed;
    return { call: { ...call, args }, declaration, response: undefined, ...(payload && { payload }) };
  }
  return { call, declaration, response: await afterTool(turn, call, declaration, answer.response, variables) };
}

function refuse(turn: TurnRun, call: ToolCall, response: JsonObject): void {
  turn.spans.start("Tool").end(spanOf(turn, call, response));
}

/** What the tool or its fake answers, or the call as the client gets it. */
async function execute(
  turn: TurnRun,
  call: ToolCall,
  declaration: ToolDeclaration,
  tool: Tool | undefined,
  variables: Variables,
): Promise<Answer> {
  if (declaration.runs === "client") return tool ? forClient(turn, call, tool, variables) : { handed: asItIs(call) };
  const span = turn.spans.start("Tool");
  if (tool && isDeferred(turn, tool)) {
    const pending = deferCall(turn, tool, call, variables);
    span.end({ ...spanOf(turn, call, pending), asynchronous: true });
    return { response: pending };
  }
  const outcome: ToolOutcome | undefined =
    tool && (await turn.engine.tools.execute(tool, call, toolContext(turn, variables, call.id)));
  const response = outcome?.response ?? toolError(`Tool not found: ${call.name}`);
  if (outcome) variables.apply(outcome.state);
  if (outcome) noteSources(turn, outcome);
  span.end({ ...spanOf(turn, call, response), ...(outcome && recordOf(outcome)) });
  turn.signal.throwIfAborted();
  return { response };
}

function asItIs({ args }: ToolCall): ClientCall {
  return { kind: "ready", args };
}

function* recordResponses(turn: TurnRun, finished: readonly FinishedCall[]): Generator<TurnEvent, void> {
  const chunks = finished.flatMap(({ call, declaration, response }) =>
    response ? [responseChunk(call, declaration, response)] : [],
  );
  yield* record(turn, turn.agent.displayName, chunks);
}
