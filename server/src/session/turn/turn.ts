import { isDeepStrictEqual } from "node:util";
import { create } from "@bufbuild/protobuf";
import { EndSessionSchema } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, unreachable } from "#base";
import type { TurnEvent } from "../contract.ts";
import type { ChunkInit } from "../model-call/history.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { predefinedVariables } from "../state/variables.ts";
import { recordLateResults } from "../tool-calls/asynchronous-tools.ts";
import {
  abandonedResponse,
  clientCallsEvent,
  isWidgetCall,
  receiveClientResponse,
} from "../tool-calls/handle-function-calls.ts";
import { enterAgent, leaveAgents } from "./agent-stages.ts";
import { citeSources } from "./citations.ts";
import { handleModelFailure } from "./error-handling.ts";
import { runOneStep } from "./step.ts";
import type { NextStep, Turn, TurnContext } from "./turn-context.ts";

/**
 * One turn, in the order of TURN-1: input, input guardrails, then agents in turn (before_agent, transfer rules, the loop
 * of model calls and tool calls, transfers), after_agent, end of the session.
 */
export async function* playTurn(turn: Turn): AsyncGenerator<TurnEvent, void> {
  const first = yield* recordInput(turn);
  if (!first) return;
  let last: NextStep;
  try {
    const failure = turn.request.voice?.failure;
    if (failure) throw new ModelFailure("speech_not_recognised", failure);
    last = yield* runAgents(turn, first);
    turn.state.resetFallbacks();
    yield* citeSources(turn);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    last = yield* handleModelFailure(turn, error);
  }
  if (last.kind !== "end-session") return;
  turn.state.endSession(last.metadata);
  yield turn.events.output({ case: "endSession", value: create(EndSessionSchema, { metadata: last.metadata }) });
}

/** From the input to the last output of the agents. The end of the session comes after it (SESS-9). */
async function* runAgents(turn: Turn, first: NextStep): AsyncGenerator<TurnEvent, NextStep> {
  let next = first;
  for (;;) {
    turn.signal.throwIfAborted();
    switch (next.kind) {
      case "enter-agent":
        next = yield* enterAgent(turn, next.agent);
        break;
      case "call-model":
        next = yield* runOneStep(turn);
        break;
      case "await-client":
        return next;
      case "respond":
      case "end-session": {
        const after: NextStep = yield* leaveAgents(turn);
        return after.kind === "end-session" ? after : next;
      }
      default:
        return unreachable(next);
    }
  }
}

/**
 * Records the turn's input as the user's message. Returns the first step, or undefined when there is nothing to answer:
 * variables alone, or a client that has not answered all its calls yet.
 */
async function* recordInput(turn: Turn): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const { state, events, input } = turn;
  const defaults = defaultVariables(turn);
  // Responses of client functions come first of all: providers require them right after their calls.
  const clientWaited = state.clientCalls.length > 0;
  receiveOvertaken(turn);
  // Most turns have none, and pay nothing for those that do.
  const mayBeLate = state.deferredCalls.length > 0 || state.overtakenCalls.length > 0;
  let late = mayBeLate && !clientWaited ? yield* recordLateResults(turn) : 0;
  // What the client sets now is newer than what an asynchronous tool has written meanwhile (TURN-91).
  turn.variables.apply({ set: { ...input.variables, ...refreshedVariables(turn) }, removed: [] });
  state.beginUserMessage(late);
  const responses = await clientResponses(turn);
  yield* events.record("user", [...responses, ...defaults, ...input.content]);
  if (state.clientCalls.length > 0) {
    yield clientCallsEvent(turn);
    return undefined;
  }
  if (mayBeLate && clientWaited) {
    const { values } = turn.variables;
    late = yield* recordLateResults(turn);
    const overwritten = Object.entries(values).filter(
      ([name, value]) => name in input.variables && turn.variables.values[name] !== value,
    );
    turn.variables.apply({ set: Object.fromEntries(overwritten), removed: [] });
  }
  if (late === 0 && responses.length === 0 && input.content.length === 0) return undefined;
  return { kind: "enter-agent", agent: state.agent };
}

/** The record of a session starts with the variables' defaults (TURN-42). */
function defaultVariables({ turnIndex, index }: TurnContext): readonly ChunkInit[] {
  if (turnIndex > 1 || Object.keys(index.variableDefaults).length === 0) return [];
  return [{ case: "defaultVariables", value: index.variableDefaults }];
}

/** Predefined variables that an instruction refers to as `{name}` are recorded like any other, when they change. */
function refreshedVariables(turn: Turn): JsonObject {
  const { index, variables } = turn;
  if (index.dynamicNames.size === 0) return {};
  const refreshed = Object.entries(predefinedVariables(turn)).filter(
    ([name, value]) =>
      index.dynamicNames.has(name) &&
      !index.variableNames.has(name) &&
      !isDeepStrictEqual(variables.values[name], value),
  );
  return Object.fromEntries(refreshed);
}

/**
 * Pairs the client's responses with the calls that wait for them (checked before the turn began; TOOL-13). When the user goes on with
 * something else, the calls that are left over have failed.
 */
async function clientResponses(turn: Turn): Promise<readonly ChunkInit[]> {
  const { state, input } = turn;
  const responses: ChunkInit[] = [];
  for (const { id, response } of input.toolResponses) {
    const call = state.clientCalls.find((one) => one.id === id);
    if (!call) continue;
    responses.push(await receiveClientResponse(turn, call, isJsonObject(response) ? response : {}));
    state.settleClientCall(call);
  }
  if (input.content.length === 0) return responses;
  responses.push(...state.clientCalls.map((call) => abandonedResponse(turn, call)));
  state.abandonClientCalls(state.clientCalls.filter((call) => !isWidgetCall(turn, call)));
  return responses;
}

/** Keeps the responses to calls that the user did not wait for until they can be recorded: nothing stands between a call and its response. */
function receiveOvertaken({ state, input }: Pick<Turn, "state" | "input">): void {
  for (const { id, response } of input.toolResponses) state.answerOvertaken(id, isJsonObject(response) ? response : {});
}
