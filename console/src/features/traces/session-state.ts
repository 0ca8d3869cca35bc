import type { JsonObject } from "@bufbuild/protobuf";
import type { Message } from "@frontdesk/protos/ces/example";

/** The variables of a session before and after one of its turns, from its recorded messages. */
export interface TurnState {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

type Recorded = { readonly messages: readonly Message[] };

/** Folds the recorded changes up to and with turn `index`: the defaults first, then each change in its order. */
export function stateAt(turns: readonly Recorded[], index: number): TurnState {
  const before = turns.slice(0, index).reduce(withTurn, {});
  const turn = turns[index];
  if (!turn) return { before, after: before };
  // Defaults are recorded in the first turn, but applied before it.
  const start = { ...before, ...defaultsOf(turn) };
  return { before: start, after: withTurn(start, turn) };
}

function withTurn(state: JsonObject, { messages }: Recorded): JsonObject {
  const after = { ...state };
  for (const { chunks } of messages)
    for (const { data } of chunks)
      if (data.case === "defaultVariables" || data.case === "updatedVariables") Object.assign(after, data.value);
  return after;
}

function defaultsOf({ messages }: Recorded): JsonObject {
  const defaults: JsonObject = {};
  for (const { chunks } of messages)
    for (const { data } of chunks) if (data.case === "defaultVariables") Object.assign(defaults, data.value);
  return defaults;
}

/** One variable that a turn changed; undefined = it was not there. */
interface StateChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The variables that differ, by name, with their values as JSON. */
export function changesOf({ before, after }: TurnState): readonly StateChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((name) => ({ name, before: textOf(before[name]), after: textOf(after[name]) }))
    .filter((change) => change.before !== change.after);
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value, null, 2);
}
