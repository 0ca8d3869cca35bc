import type { JsonObject, JsonValue } from "#base";
import type { ModelPart } from "#models";
import { findByName, type ToolDeclaration, toolError } from "#tools";
import { lastResponse } from "../callbacks/user-code.ts";
import type { TurnEvent } from "../contract.ts";
import { guardResponse } from "../guardrails/guardrails.ts";
import type { ChunkInit } from "../model-call/history.ts";
import { uniqueCallId } from "../tool-calls/call-ids.ts";
import { responseChunk, toolIdentifier } from "../tool-calls/function-responses.ts";
import { type FunctionCallPlan, handleFunctionCalls } from "../tool-calls/handle-function-calls.ts";
import type { OfferedTools } from "../tool-calls/offered-tools.ts";
import { traceTransfer, transferChunk, transferError, transferTarget } from "../transfers/transfer-to-agent.ts";
import { textOfCall, toResponsePart, withCustomizedResponse } from "./responses.ts";
import type { NextStep, Turn, TurnContext } from "./turn-context.ts";
import type { SignedChunks } from "./turn-events.ts";

/**
 * Handles an answer, of the model or of a callback in its place: guardrails judge it, then its text is sent (what was `streamed` not
 * again), then its function calls are made. The first transfer or end of the session is the last thing that happens; calls after it
 * are not made (TURN-7, TURN-8).
 */
export async function* handleResponse(
  turn: Turn,
  answer: readonly ModelPart[],
  offered: OfferedTools,
  streamed: readonly string[] = [],
): AsyncGenerator<TurnEvent, NextStep> {
  const parts = answer.map((part) => withDeclaredName(part, offered.byName));
  const blocked = yield* guardResponse(turn, parts, offered);
  if (blocked) return blocked;
  const { state, events } = turn;
  const plan = planOf(turn, parts, offered);
  for (const part of plan.parts) yield* events.part(part, part.kind === "text" && streamed.includes(part.text));
  const { chunks, signed } = recordOf(plan, offered);
  yield* events.record(state.agent.displayName, chunks, signed);
  if (plan.last?.kind === "enter-agent") traceTransfer(turn.spans, state.agent, plan.last.agent);
  yield* progressOf(turn, plan);
  const awaitsClient = yield* handleFunctionCalls(turn, plan.calls);
  if (plan.last?.kind === "end-session" && plan.lastCall)
    yield* events.record(state.agent.displayName, [endResponse(plan.lastCall, offered)]);
  if (awaitsClient && plan.last?.kind !== "end-session") {
    // The call must be answered before the next model call, so the target of a transfer starts after that.
    if (plan.last?.kind === "enter-agent") state.handOver(plan.last.agent);
    return { kind: "await-client" };
  }
  if (plan.last) return plan.last;
  return plan.calls.length > 0 ? { kind: "call-model" } : { kind: "respond" };
}

type FunctionCall = Extract<ModelPart, { kind: "function-call" }>;

/** What is about to be done, for clients that ask for it (SESS-24). */
function* progressOf({ request, turnIndex }: Turn, { calls, last }: Plan): Generator<TurnEvent, void> {
  if (!request.config.includeProgressUpdate) return;
  const steps = calls.flatMap((plan) => ("error" in plan ? [] : [`Calling ${plan.call.name}`]));
  if (last?.kind === "enter-agent") steps.push(`Transferring to ${last.agent.displayName}`);
  for (const text of steps) yield { kind: "progress", text, turnIndex };
}

interface Plan {
  /** What is sent and called, in order, with ids for all calls. */
  readonly parts: readonly ModelPart[];
  readonly calls: readonly FunctionCallPlan[];
  /** The transfer or end that closes the answer, and the call that asks for it. */
  readonly last: NextStep | undefined;
  readonly lastCall: FunctionCall | undefined;
}

function planOf(turn: Turn, parts: readonly ModelPart[], offered: OfferedTools): Plan {
  const planned: ModelPart[] = [];
  const calls: FunctionCallPlan[] = [];
  const ids = new Set<string>();
  let last: NextStep | undefined;
  let lastCall: FunctionCall | undefined;
  for (const original of parts) {
    const part = withCustomizedResponse(original, offered.byName);
    if (part.kind !== "function-call") {
      planned.push(part);
      continue;
    }
    if (last) {
      turn.spans.warn(`The call of ${part.name} was not made: it comes after ${lastCall?.name}.`);
      continue;
    }
    const id = uniqueCallId(turn, part.id, ids);
    ids.add(id);
    const call = id === part.id ? part : { ...part, id };
    planned.push(...(canSucceed(turn, call, offered) ? textOfCall(call, offered.byName) : []), call);
    last = closingStep(turn, call, offered);
    if (last) lastCall = call;
    else calls.push(planCall(turn, call, offered));
  }
  return { parts: planned, calls, last, lastCall };
}

/** A widget that nothing was found for is not shown, so the text that announces it is not sent (TURN-72). */
function canSucceed(turn: Turn, { name }: FunctionCall, { byName }: OfferedTools): boolean {
  const source = byName.get(name)?.needsResponseOf;
  return source === undefined || lastResponse(turn, source) !== undefined;
}

/** A call by another spelling of a tool's name as a call by the name that it is declared with (TSET-12). */
function withDeclaredName(part: ModelPart, byName: ReadonlyMap<string, ToolDeclaration>): ModelPart {
  if (part.kind !== "function-call" || byName.has(part.name)) return part;
  const declared = findByName(byName, part.name);
  return declared ? { ...part, name: declared.name } : part;
}

/** The step that a system function asks for; undefined for all other calls, and for transfers that are not possible. */
function closingStep(
  { index }: TurnContext,
  call: FunctionCall,
  { byName, blockedTargets }: OfferedTools,
): NextStep | undefined {
  if (call.unreadableArgs !== undefined) return undefined;
  if (call.name === "end_session" && byName.has(call.name))
    return { kind: "end-session", metadata: endMetadata(call.args) };
  if (call.name !== "transfer_to_agent") return undefined;
  const agent = transferTarget(index, call.args);
  return agent && !blockedTargets.has(agent.name) ? { kind: "enter-agent", agent } : undefined;
}

/** `reason`, `session_escalated` and `params` as the caller gave them; none of them is required (TOOL-9). */
function endMetadata({ reason, session_escalated, params }: JsonObject): JsonObject {
  return {
    ...(reason !== undefined && reason !== null && { reason }),
    session_escalated: isTrue(session_escalated),
    ...(params !== undefined && params !== null && { params }),
  };
}

/** Code that holds all values as text writes "true". */
function isTrue(value: JsonValue | undefined): boolean {
  return value === true || (typeof value === "string" && value.toLowerCase() === "true");
}

/** What answers a call. What the agent does not list is not called, and the model gets an error (TOOL-1). */
function planCall(
  { index }: TurnContext,
  { id, name, args, unreadableArgs }: FunctionCall,
  offered: OfferedTools,
): FunctionCallPlan {
  const call = { id, name, args };
  if (unreadableArgs !== undefined) return { call, error: unreadableError(name, unreadableArgs) };
  if (name === "transfer_to_agent") {
    return { call, error: transferError(transferTarget(index, args), args, offered.transferTargets) };
  }
  const declaration = offered.byName.get(name);
  const tool = declaration && (index.tools.get(declaration.tool) ?? offered.members.get(declaration.tool));
  return declaration ? { call, declaration, tool } : { call, error: toolError(`Tool not found: ${name}`) };
}

/** What of unreadable arguments the model is shown, characters: enough to see the mistake. */
const SHOWN_ARGS = 500;

/** The model may write them again (TURN-78). */
function unreadableError(name: string, args: string): JsonObject {
  const shown = args.length > SHOWN_ARGS ? `${args.slice(0, SHOWN_ARGS)}…` : args;
  return toolError(`${name} was not called: its arguments are no JSON object. Call it again with valid JSON. ${shown}`);
}

interface RecordOfPlan {
  readonly chunks: readonly ChunkInit[];
  readonly signed: SignedChunks;
}

function recordOf({ parts, last, lastCall }: Plan, offered: OfferedTools): RecordOfPlan {
  const chunks: ChunkInit[] = [];
  const signed = new Map<ChunkInit, string>();
  for (const part of parts) {
    const chunk =
      part.kind === "function-call"
        ? callChunk(part, part === lastCall ? last : undefined, offered)
        : toResponsePart(part)?.chunk;
    if (!chunk) continue;
    if ("signature" in part && part.signature !== undefined) signed.set(chunk, part.signature);
    chunks.push(chunk);
  }
  return { chunks, signed };
}

/** What answers a call of end_session, as hosted records have it (TOOL-9). */
function endResponse(call: FunctionCall, { byName }: OfferedTools): ChunkInit {
  return responseChunk(call, byName.get(call.name), { result: "done" });
}

function callChunk({ id, name, args }: FunctionCall, last: NextStep | undefined, { byName }: OfferedTools): ChunkInit {
  if (last?.kind === "enter-agent") return transferChunk(last.agent);
  return { case: "toolCall", value: { id, displayName: name, args, ...toolIdentifier(byName.get(name)) } };
}
