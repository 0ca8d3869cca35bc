import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "#base";
import type { TurnEvent } from "../contract.ts";
import { predefinedOf } from "../state/variables.ts";
import { abandonedResult, takeClientResult, toolCallsEvent } from "../tool-calls/client-calls.ts";
import { tellLateResults } from "../tool-calls/late-results.ts";
import { record } from "./events.ts";
import type { ChunkInit } from "./recorder.ts";
import type { NextStep, TurnRun } from "./turn-context.ts";

/**
 * Records the turn's input as the user's message. Answers the first step, or undefined when there is nothing to answer:
 * variables alone, or a client that has not answered all its calls yet.
 */
export async function* takeInput(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const defaults = defaultVariables(turn);
  turn.variables.apply({ set: { ...turn.input.variables, ...refreshedVariables(turn) }, removed: [] });
  // Results of client functions come first of all: providers want them right after their calls.
  const clientWaited = turn.pending.length > 0;
  let late = clientWaited ? 0 : yield* tellLateResults(turn);
  turn.userMessage = late;
  const results = await clientResults(turn);
  yield* record(turn, "user", [...results, ...defaults, ...turn.input.content]);
  if (turn.pending.length > 0) {
    yield toolCallsEvent(turn);
    return undefined;
  }
  if (clientWaited) late = yield* tellLateResults(turn);
  if (late === 0 && results.length === 0 && turn.input.content.length === 0) return undefined;
  return { kind: "enter-agent", agent: turn.agent };
}

/** The record of a session starts with the variables' defaults (TURN-42). */
function defaultVariables({ turnIndex, index }: TurnRun): readonly ChunkInit[] {
  if (turnIndex > 1 || Object.keys(index.variableDefaults).length === 0) return [];
  return [{ case: "defaultVariables", value: index.variableDefaults }];
}

/** Predefined variables that an instruction refers to as `{name}` are told like any other, when they change. */
function refreshedVariables(turn: TurnRun): JsonObject {
  const { index, variables } = turn;
  if (index.dynamicNames.size === 0) return {};
  const told = Object.entries(predefinedOf(turn)).filter(
    ([name, value]) =>
      index.dynamicNames.has(name) &&
      !index.variableNames.has(name) &&
      !isDeepStrictEqual(variables.values[name], value),
  );
  return Object.fromEntries(told);
}

/**
 * Pairs results with the calls that wait for them (checked before the turn began; TOOL-13). When the user goes on with something
 * else, the calls that are left over have failed.
 */
async function clientResults(turn: TurnRun): Promise<readonly ChunkInit[]> {
  const { toolResponses, content } = turn.input;
  const results: ChunkInit[] = [];
  for (const { id, response } of toolResponses) {
    const call = turn.pending.find((pending) => pending.id === id);
    if (!call) continue;
    results.push(await takeClientResult(turn, call, isJsonObject(response) ? response : {}));
    turn.pending = turn.pending.filter((pending) => pending !== call);
  }
  if (content.length === 0) return results;
  results.push(...turn.pending.map((call) => abandonedResult(turn, call)));
  turn.pending = [];
  return results;
}
