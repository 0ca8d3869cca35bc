import { create } from "@bufbuild/protobuf";
import { ToolCallsSchema } from "@frontdesk/protos/ces/session_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import { type HandedTool, type ToolCall, type ToolDeclaration, type ToolOutcome, toolError } from "#tools";
import { framesOf, outputOf, runCallbacks, toolContext } from "./callbacks.ts";
import type { TurnEvent } from "./contract.ts";
import { deferCall, isDeferred } from "./defer-call.ts";
import type { ChunkInit } from "./recorder.ts";
import { outputEvent, record } from "./say.ts";
import type { PendingCall } from "./session-state.ts";
import { toolIdentifier } from "./tool-identifier.ts";
import type { TurnRun } from "./turn-run.ts";
import type { Variables } from "./variables.ts";

/** A call and who answers it: a tool, or a refusal that the model hears. */
export type CallPlan =
  | { readonly call: ToolCall; readonly declaration: ToolDeclaration }
  | { readonly call: ToolCall; readonly refusal: JsonObject };

/** A call that was made. Without a response it waits for the client. */
interface FinishedCall {
  readonly call: ToolCall;
  readonly declaration: ToolDeclaration | undefined;
  readonly response: JsonObject | undefined;
  /** A custom output that the client gets before the call. */
  readonly payload?: JsonObject;
}

/** What a call came to: an answer, or something for the client to answer. */
type Answer = { readonly response: JsonObject } | { readonly handed: HandedTool };

/**
 * Makes the calls of one model output and records what they answered, in call order. At the same time unless the app says
 * one after the other; concurrent calls all start from the same variables, and per variable the last in call order wins
 * (ces-runtime 2.3). Answers whether the client has to answer any.
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
  const { declaration } = plan;
  const { call, override } = await beforeTool(turn, plan.call, declaration, variables);
  const answer = override ? { response: override } : await execute(turn, call, declaration, variables);
  if ("handed" in answer) {
    const { args, payload } = answer.handed;
    return { call: { ...call, args }, declaration, response: undefined, ...(payload && { payload }) };
  }
  return { call, declaration, response: await afterTool(turn, call, declaration, answer.response, variables) };
}

function refuse(turn: TurnRun, call: ToolCall, response: JsonObject): void {
  turn.spans.start("Tool").end(spanOf(turn, call, response));
}

async function beforeTool(
  turn: TurnRun,
  call: ToolCall,
  declaration: ToolDeclaration,
  variables: Variables,
): Promise<{ readonly call: ToolCall; readonly override: JsonObject | undefined }> {
  let { args } = call;
  const override = await runCallbacks(turn, turn.agent, {
    stage: "before_tool",
    variables,
    functionCallId: call.id,
    args: () => [toolArgument(declaration), { kind: "json", value: args }, { kind: "callback-context" }],
    edit: ([, edited]) => {
      if (isJsonObject(edited)) args = edited;
    },
    accept: asResponse,
  });
  return { call: { ...call, args }, override };
}

/** What the tool or its fake answers, or the call as the client gets it. */
async function execute(
  turn: TurnRun,
  call: ToolCall,
  declaration: ToolDeclaration,
  variables: Variables,
): Promise<Answer> {
  const tool = turn.index.tools.get(declaration.tool);
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
  span.end({ ...spanOf(turn, call, response), ...(outcome && recordOf(outcome)) });
  turn.signal.throwIfAborted();
  return { response };
}

/** A fake answers in the client's place; else the client gets the call, and its span comes with the answer. */
async function forClient(turn: TurnRun, call: ToolCall, tool: Tool, variables: Variables): Promise<Answer> {
  const context = toolContext(turn, variables, call.id);
  const faked = await turn.engine.tools.fake(tool, call, context);
  const answer = faked ?? (await turn.engine.tools.handOff(tool, call, context));
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

function asItIs({ args }: ToolCall): HandedTool {
  return { kind: "ready", args };
}

function spanOf(turn: TurnRun, { name, args }: ToolCall, response: JsonObject): JsonObject {
  return { name, agent: turn.agent.displayName, args, response };
}

/** What the trace tells of a run beside its answer. */
function recordOf(outcome: ToolOutcome): JsonObject {
  return {
    ...(outcome.faked && { fake: true }),
    ...outputOf(outcome),
    ...(outcome.kind === "failed" && { error: outcome.error, ...framesOf(outcome.frames) }),
  };
}

async function afterTool(
  turn: TurnRun,
  call: ToolCall,
  declaration: ToolDeclaration,
  original: JsonObject,
  variables: Variables,
): Promise<JsonObject> {
  let response = original;
  const override = await runCallbacks(turn, turn.agent, {
    stage: "after_tool",
    variables,
    functionCallId: call.id,
    args: () => [
      toolArgument(declaration),
      { kind: "json", value: call.args },
      { kind: "callback-context" },
      { kind: "json", value: response },
    ],
    edit: ([, , , edited]) => {
      if (isJsonObject(edited)) response = edited;
    },
    accept: asResponse,
  });
  return override ?? response;
}

function toolArgument({ name, description }: ToolDeclaration): PythonArgument {
  return { kind: "tool", name, description };
}

function asResponse(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function* recordResponses(turn: TurnRun, finished: readonly FinishedCall[]): Generator<TurnEvent, void> {
  const chunks = finished.flatMap(({ call, declaration, response }) =>
    response ? [responseChunk(call, declaration, response)] : [],
  );
  yield* record(turn, turn.agent.displayName, chunks);
}

function responseChunk(
  { id, name }: Pick<ToolCall, "id" | "name">,
  declaration: Pick<ToolDeclaration, "tool"> | undefined,
  response: JsonObject,
): ChunkInit {
  return { case: "toolResponse", value: { id, displayName: name, response, ...toolIdentifier(declaration) } };
}

/** Asks the client for what only it can answer; the session keeps the calls until it does (ces-runtime 2.10). */
function* handOut(turn: TurnRun, finished: readonly FinishedCall[]): Generator<TurnEvent, boolean> {
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
