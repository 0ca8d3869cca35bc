import { create } from "@bufbuild/protobuf";
import { ToolCallsSchema } from "@frontdesk/protos/ces/session_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import { type ClientCall, collectSources, type ToolCall, type ToolDeclaration, toolError } from "#tools";
import { CallbackNotRun } from "../callbacks/callback-not-run.ts";
import { type CallbackTurn, runCallbacks } from "../callbacks/run-callbacks.ts";
import { toolContext } from "../callbacks/user-code.ts";
import type { TurnEvent } from "../contract.ts";
import type { ChunkInit } from "../model-call/history.ts";
import type { PendingCall } from "../state/session-state.ts";
import type { Variables } from "../state/variables.ts";
import { pythonAttributes, toolCallAttributes, toolOutcomeAttributes } from "../trace.ts";
import type { Turn, TurnContext } from "../turn/turn-context.ts";
import { deferCall, isDeferred, isLeftToClient } from "./asynchronous-tools.ts";
import { responseChunk, toolIdentifier } from "./function-responses.ts";

/** A function call that a model made, and what answers it: a tool, or an error. */
export type FunctionCallPlan =
  | { readonly call: ToolCall; readonly declaration: ToolDeclaration; readonly tool: Tool | undefined }
  | { readonly call: ToolCall; readonly error: JsonObject };

/** A call that was made. Without a response it waits for the client. */
interface HandledCall {
  readonly call: ToolCall;
  readonly declaration: ToolDeclaration | undefined;
  readonly response: JsonObject | undefined;
  /** What the client gets, when it answers the call: also when there is a response meanwhile. */
  readonly clientCall?: ClientCall;
}

/** What came of a call: a response, a call for the client to answer, or both when nothing waits for that answer. */
interface CallResult {
  readonly response?: JsonObject;
  readonly clientCall?: ClientCall;
}

/**
 * Handles the function calls of one model output and records their responses, in call order. At the same time unless the app sets
 * sequential execution; concurrent calls all start from the same variables, and per variable the last in call order wins
 * (TOOL-5). Returns whether the client has to answer any.
 */
export async function* handleFunctionCalls(
  turn: Turn,
  plans: readonly FunctionCallPlan[],
): AsyncGenerator<TurnEvent, boolean> {
  if (plans.length === 0) return false;
  const handled = turn.index.sequentialTools ? await handleInOrder(turn, plans) : await handleTogether(turn, plans);
  const chunks = handled.flatMap(({ call, declaration, response }) =>
    response ? [responseChunk(call, declaration, response)] : [],
  );
  yield* turn.events.record(turn.state.agent.displayName, chunks);
  return yield* requestClientCalls(turn, handled);
}

async function handleInOrder(turn: Turn, plans: readonly FunctionCallPlan[]): Promise<readonly HandledCall[]> {
  const handled: HandledCall[] = [];
  for (const plan of plans) handled.push(await handleCall(turn, plan, turn.variables));
  return handled;
}

async function handleTogether(turn: Turn, plans: readonly FunctionCallPlan[]): Promise<readonly HandledCall[]> {
  const forks = plans.map(() => turn.variables.fork());
  const handled = await Promise.all(
    plans.map((plan, position) => handleCall(turn, plan, forks[position] ?? turn.variables)),
  );
  for (const { changes } of forks) for (const change of changes) turn.variables.apply(change);
  return handled;
}

/** before_tool, the tool (or its fake), after_tool. */
async function handleCall(turn: Turn, plan: FunctionCallPlan, variables: Variables): Promise<HandledCall> {
  if ("error" in plan) {
    const { call, error } = plan;
    turn.spans.start("Tool").end(toolCallAttributes(turn.state.agent.displayName, call, error));
    return { call, declaration: undefined, response: error };
  }
  const { declaration, tool } = plan;
  const { call, override } = await beforeTool(turn, plan.call, declaration, variables);
  const result = override ? { response: override } : await callTool(turn, call, declaration, tool, variables);
  const { response, clientCall } = result;
  const made = {
    call: clientCall ? { ...call, args: clientCall.args } : call,
    declaration,
    ...definedFields({ clientCall }),
  };
  if (!response) return { ...made, response };
  return { ...made, response: await afterTool(turn, call, declaration, response, variables) };
}

/** The response of the tool or its fake, or the call as the client gets it. */
async function callTool(
  turn: Turn,
  call: ToolCall,
  declaration: ToolDeclaration,
  tool: Tool | undefined,
  variables: Variables,
): Promise<CallResult> {
  const { state, spans, engine } = turn;
  const mocked = tool && turn.request.toolMocks?.answer(tool, call.args);
  if (mocked) {
    spans.start("Tool").end({ ...toolCallAttributes(state.agent.displayName, call, mocked), mock: true });
    return { response: mocked };
  }
  if (declaration.runs === "client") {
    return tool ? prepareForClient(turn, call, tool, variables) : { clientCall: { kind: "ready", args: call.args } };
  }
  const span = spans.start("Tool");
  if (tool && isDeferred(turn, tool)) {
    const pending = deferCall(turn, tool, call, variables);
    span.end({ ...toolCallAttributes(state.agent.displayName, call, pending), asynchronous: true });
    return { response: pending };
  }
  const outcome = tool && (await engine.tools.execute(tool, call, toolContext(turn, variables, call.id)));
  const response = outcome?.response ?? toolError(`Tool not found: ${call.name}`);
  if (outcome) variables.apply(outcome.state);
  if (outcome) state.addSources(collectSources(outcome));
  const attributes = toolCallAttributes(state.agent.displayName, call, response);
  span.end({ ...attributes, ...(outcome && toolOutcomeAttributes(outcome)) });
  turn.signal.throwIfAborted();
  return { response };
}

/** A fake answers in the client's place; else the client gets the call, and its span comes with the response. */
async function prepareForClient(turn: Turn, call: ToolCall, tool: Tool, variables: Variables): Promise<CallResult> {
  const { spans, engine } = turn;
  const agent = turn.state.agent.displayName;
  const context = toolContext(turn, variables, call.id);
  const result = await engine.tools.prepareClientCall(tool, call, context);
  turn.signal.throwIfAborted();
  if (result.kind === "ready") {
    const { record, args } = result;
    if (record) spans.start("Tool").end({ ...toolCallAttributes(agent, call, args), ...pythonAttributes(record) });
    if (record) variables.apply(record.state);
    if (!isLeftToClient(turn, tool)) return { clientCall: result };
    const pending = { result: "pending" };
    spans.start("Tool").end({ ...toolCallAttributes(agent, call, pending), asynchronous: true });
    return { clientCall: result, response: pending };
  }
  variables.apply(result.state);
  spans.start("Tool").end({ ...toolCallAttributes(agent, call, result.response), ...toolOutcomeAttributes(result) });
  return { response: result.response };
}

/**
 * Sends the client the calls that only it can answer. The session keeps them until it does (TOOL-12); those that are asynchronous it does not wait for,
 * and takes their responses when they come (TOOL-52). Returns whether it waits for any.
 */
function* requestClientCalls(
  turn: Pick<Turn, "state" | "events">,
  handled: readonly HandledCall[],
): Generator<TurnEvent, boolean> {
  const calls = handled.flatMap(({ call, declaration, response, clientCall }) =>
    declaration && clientCall ? [{ waits: !response, call: { ...call, tool: declaration.tool } }] : [],
  );
  if (calls.length === 0) return false;
  const awaited = calls.flatMap(({ waits, call }) => (waits ? [call] : []));
  if (awaited.length > 0) turn.state.awaitClient(awaited);
  turn.state.leaveToClient(calls.flatMap(({ waits, call }) => (waits ? [] : [call])));
  for (const { clientCall } of handled)
    if (clientCall?.payload) yield turn.events.output({ case: "payload", value: clientCall.payload });
  yield callsEvent(
    turn,
    calls.map(({ call }) => call),
  );
  return awaited.length > 0;
}

/** The output that names the calls that wait for the client. */
export function clientCallsEvent({ state, events }: Pick<Turn, "state" | "events">): TurnEvent {
  return callsEvent({ events }, state.clientCalls);
}

function callsEvent({ events }: Pick<Turn, "events">, calls: readonly PendingCall[]): TurnEvent {
  const toolCalls = calls.map(({ id, name, tool, args }) => ({
    id,
    displayName: name,
    args,
    ...toolIdentifier({ tool }),
  }));
  return events.output({ case: "toolCalls", value: create(ToolCallsSchema, { toolCalls }) });
}

/**
 * Takes the client's response to a call: the after_tool callbacks of the agent that made it run for it as for any tool (TOOL-53). Returns the chunk to
 * record.
 */
export async function receiveClientResponse(turn: Turn, call: PendingCall, result: JsonObject): Promise<ChunkInit> {
  const { state, index } = turn;
  const active = state.agent;
  state.activate((call.agent !== undefined && index.agents.get(call.agent)) || active);
  try {
    return await receiveAsCaller(turn, call, result);
  } finally {
    state.activate(active);
  }
}

async function receiveAsCaller(
  turn: Turn,
  { id, name, tool, args }: PendingCall,
  result: JsonObject,
): Promise<ChunkInit> {
  const known = turn.index.tools.get(tool);
  const declaration: ToolDeclaration = known
    ? await turn.engine.tools.declare(known)
    : { name, description: "", parameters: {}, tool, runs: "client" };
  const span = turn.spans.start("Tool");
  span.end(toolCallAttributes(turn.state.agent.displayName, { name, args }, result));
  const response = await afterTool(turn, { id, name, args }, declaration, result, turn.variables);
  return responseChunk({ id, name }, declaration, response);
}

/** Whether a call shows a widget: what the user does next is its answer. */
export function isWidgetCall({ index }: Pick<TurnContext, "index">, { tool }: PendingCall): boolean {
  return index.tools.get(tool)?.toolType.case === "widgetTool";
}

/** The chunk for a call that the client left unanswered. A widget needs no answer when the user continues without it. */
export function abandonedResponse(turn: TurnContext, call: PendingCall): ChunkInit {
  const { id, name, tool } = call;
  const response = isWidgetCall(turn, call)
    ? { result: "The widget was shown to the user, whose answer follows." }
    : toolError(`The client did not answer the call of ${name}; the user went on instead.`);
  return responseChunk({ id, name }, { tool }, response);
}

/**
 * The before_tool callbacks (CB-15): the call as they left it, and the response that one of them gave in the tool's place, or an error when
 * one could not run.
 */
async function beforeTool(
  turn: CallbackTurn,
  call: ToolCall,
  declaration: ToolDeclaration,
  variables: Variables,
): Promise<{ readonly call: ToolCall; readonly override: JsonObject | undefined }> {
  let { args } = call;
  const override = await runCallbacks(turn, turn.state.agent, {
    stage: "before_tool",
    variables,
    functionCallId: call.id,
    args: () => [toolArgument(declaration), { kind: "json", value: args }, { kind: "callback-context" }],
    edit: ([, edited]) => {
      if (isJsonObject(edited)) args = edited;
    },
    accept: asResponse,
  }).catch(errorOfCallback);
  return { call: { ...call, args }, override };
}

/** The after_tool callbacks: the response as they left it, or an error in its place when one could not run. */
async function afterTool(
  turn: CallbackTurn,
  call: ToolCall,
  declaration: ToolDeclaration,
  original: JsonObject,
  variables: Variables,
): Promise<JsonObject> {
  let response = original;
  const override = await runCallbacks(turn, turn.state.agent, {
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
  }).catch(errorOfCallback);
  return override ?? response;
}

/** The model gets the error in place of what the callback would have judged (CB-21). */
function errorOfCallback(error: unknown): JsonObject {
  if (!(error instanceof CallbackNotRun)) throw error;
  return toolError(error.message);
}

function toolArgument({ name, description }: ToolDeclaration): PythonArgument {
  return { kind: "tool", name, description };
}

function asResponse(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
