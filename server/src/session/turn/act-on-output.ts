import type { JsonObject, JsonValue } from "#base";
import type { ModelPart } from "#models";
import { toolError } from "#tools";
import type { AgentNode } from "../app-index.ts";
import type { TurnEvent } from "../contract.ts";
import { newCallId } from "../model-call/model-call.ts";
import { type CallPlan, runCalls } from "../tool-calls/handle-function-calls.ts";
import type { OfferedTools } from "../tool-calls/offered-tools.ts";
import { toolIdentifier } from "../tool-calls/tool-identifier.ts";
import { emit, record, spokenPart } from "./events.ts";
import type { ChunkInit, SignedChunks } from "./recorder.ts";
import { asSpeech, saidWith } from "./speech-of.ts";
import type { NextStep, TurnRun } from "./turn-context.ts";

/**
 * Carries out an answer: says its words (those that were `streamed` are not shown again), then runs its calls in order. The
 * first hand-over or end of the session is the last thing that happens; calls after it are not made (TURN-7, TURN-8).
 */
export async function* actOn(
  turn: TurnRun,
  parts: readonly ModelPart[],
  offered: OfferedTools,
  streamed: readonly string[] = [],
): AsyncGenerator<TurnEvent, NextStep> {
  const plan = planOf(turn, parts, offered);
  for (const part of plan.parts) yield* emit(turn, part, part.kind === "text" && streamed.includes(part.text));
  const { chunks, signed } = recordOf(plan, offered);
  yield* record(turn, turn.agent.displayName, chunks, signed);
  if (plan.last?.kind === "enter-agent") traceTransfer(turn, plan.last.agent);
  const waiting = yield* runCalls(turn, plan.calls);
  if (waiting && plan.last?.kind !== "end-session") {
    // The call must be answered before any model goes on, so the agent that was to take over does so then.
    if (plan.last?.kind === "enter-agent") turn.agent = plan.last.agent;
    return { kind: "await-client" };
  }
  if (plan.last) return plan.last;
  return plan.calls.length > 0 ? { kind: "call-model" } : { kind: "respond" };
}

type Call = Extract<ModelPart, { kind: "function-call" }>;

interface Plan {
  /** What is said and called, in order, with ids for all calls. */
  readonly parts: readonly ModelPart[];
  readonly calls: readonly CallPlan[];
  /** The hand-over or end that closes the answer, and the call that asks for it. */
  readonly last: NextStep | undefined;
  readonly lastCall: Call | undefined;
}

function planOf(turn: TurnRun, parts: readonly ModelPart[], offered: OfferedTools): Plan {
  const planned: ModelPart[] = [];
  const calls: CallPlan[] = [];
  let last: NextStep | undefined;
  let lastCall: Call | undefined;
  for (const original of parts) {
    const part = asSpeech(original, offered);
    if (part.kind !== "function-call") {
      planned.push(part);
      continue;
    }
    if (last) {
      turn.spans.warn(`The call of ${part.name} was not made: it stands after ${lastCall?.name}.`);
      continue;
    }
    const call = part.id === "" ? { ...part, id: newCallId(turn.engine.ids) } : part;
    planned.push(...saidWith(call, offered), call);
    last = closingStep(turn, call, offered);
    if (last) lastCall = call;
    else calls.push(planCall(turn, call, offered));
  }
  return { parts: planned, calls, last, lastCall };
}

/** The step that a system function asks for; undefined for all other calls, and for hand-overs to nobody. */
function closingStep(turn: TurnRun, call: Call, { byName, blockedTargets }: OfferedTools): NextStep | undefined {
  if (call.name === "end_session" && byName.has(call.name))
    return { kind: "end-session", metadata: endMetadata(call.args) };
  if (call.name !== "transfer_to_agent") return undefined;
  const agent = transferTarget(turn, call);
  return agent && !blockedTargets.has(agent.name) ? { kind: "enter-agent", agent } : undefined;
}

/** Any agent of the app, by display name or resource name, as in the runtime's agent tree (TURN-22); code also writes `agent`. */
function transferTarget({ index }: TurnRun, { args }: Call): AgentNode | undefined {
  const wanted = String(args.agent_name ?? args.agent ?? "");
  return index.agentsByDisplayName.get(wanted) ?? index.agents.get(wanted);
}

/** `reason`, `session_escalated` and `params` as the caller gave them; none of them is insisted on (TOOL-9). */
function endMetadata({ reason, session_escalated, params }: JsonObject): JsonObject {
  return {
    ...(reason !== undefined && reason !== null && { reason }),
    session_escalated: isTrue(session_escalated),
    ...(params !== undefined && params !== null && { params }),
  };
}

/** Code that keeps everything as text writes "true". */
function isTrue(value: JsonValue | undefined): boolean {
  return value === true || (typeof value === "string" && value.toLowerCase() === "true");
}

/** Who answers a call. What the agent does not list is not called, and the model gets an error (TOOL-1). */
function planCall(turn: TurnRun, original: Call, offered: OfferedTools): CallPlan {
  const { id, name, args } = original;
  const call = { id, name, args };
  if (name === "transfer_to_agent") return { call, refusal: transferRefusal(turn, original, offered) };
  const declaration = offered.byName.get(name);
  const tool = declaration && (turn.index.tools.get(declaration.tool) ?? offered.members.get(declaration.tool));
  return declaration ? { call, declaration, tool } : { call, refusal: toolError(`Tool not found: ${name}`) };
}

function transferRefusal(turn: TurnRun, call: Call, { transferTargets }: OfferedTools): JsonObject {
  const blocked = transferTarget(turn, call);
  const targets = transferTargets.map(({ displayName }) => displayName).join(", ") || "none";
  if (blocked) {
    const reason = `Agent ${blocked.displayName} cannot take over now: a transfer rule of the app forbids it.`;
    return toolError(`${reason} Agents: ${targets}.`);
  }
  return toolError(`Agent not found: ${String(call.args.agent_name ?? call.args.agent)}. Agents: ${targets}.`);
}

interface RecordOfOutput {
  readonly chunks: readonly ChunkInit[];
  readonly signed: SignedChunks;
}

function recordOf({ parts, last, lastCall }: Plan, offered: OfferedTools): RecordOfOutput {
  const chunks: ChunkInit[] = [];
  const signed = new Map<ChunkInit, string>();
  for (const part of parts) {
    const chunk =
      part.kind === "function-call"
        ? callChunk(part, part === lastCall ? last : undefined, offered)
        : spokenPart(part)?.chunk;
    if (!chunk) continue;
    if ("signature" in part && part.signature !== undefined) signed.set(chunk, part.signature);
    chunks.push(chunk);
  }
  return { chunks, signed };
}

function callChunk({ id, name, args }: Call, last: NextStep | undefined, { byName }: OfferedTools): ChunkInit {
  if (last?.kind === "enter-agent") return transferChunk(last.agent);
  return { case: "toolCall", value: { id, displayName: name, args, ...toolIdentifier(byName.get(name)) } };
}

/** The span of a hand-over (TURN-23); `more` says what led to it, when it was not the agent's own answer. */
export function traceTransfer({ agent, spans }: TurnRun, target: AgentNode, more: JsonObject = {}): void {
  spans.start("Transfer").end({ agent: agent.displayName, target: target.displayName, ...more });
}

/** How a hand-over is recorded. */
export function transferChunk({ name, displayName }: AgentNode): ChunkInit {
  return { case: "agentTransfer", value: { targetAgent: name, displayName } };
}
