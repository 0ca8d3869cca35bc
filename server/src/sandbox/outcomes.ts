import type { PythonOutcome as SealedOutcome } from "@frontdesk/sealed-python";
import { isJsonObject, type JsonValue, keepSpelling, textsIn } from "#base";
import type { JsonList, PythonArgument, PythonOutcome, VariableChanges } from "./contract.ts";
import { contentsOf } from "./program-input.ts";

/**
 * The outcome with what the guest program reported: changes of variables, and arguments that were edited. The report comes from
 * where the user's code ran, so its shape is checked, not believed.
 */
export function outcomeOf(outcome: SealedOutcome, positional: readonly PythonArgument[]): PythonOutcome {
  if (outcome.kind !== "returned" && outcome.kind !== "raised") return outcome;
  const { report, ...rest } = outcome;
  const reported = isJsonObject(report) ? report : {};
  const state = readChanges(reported.state);
  if (rest.kind === "raised") return { ...rest, state };
  const { value: _value, returnType: _type, ...record } = rest;
  const excess = excessOf(reported.edited, positional);
  if (excess !== undefined)
    return { ...record, kind: "raised", type: "ValueError", message: excess, frames: [], state };
  const returned = { ...rest, state, edited: readEdited(reported.edited, positional) };
  keepSpelling(outcome, "value", returned, "value");
  return returned;
}

/** Messages that an edit may add to a request. A range of messages takes ten bytes of the report, whatever its length. */
const MAX_ADDED_CONTENTS = 100_000;

/** Why the edits cannot be taken over (PY-46); undefined when they can. */
function excessOf(pairs: JsonValue | undefined, positional: readonly PythonArgument[]): string | undefined {
  const given = positional.reduce((sum, argument) => sum + (contentsOf(argument)?.length ?? 0), 0);
  const limit = given + MAX_ADDED_CONTENTS;
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    const value = Array.isArray(pair) ? pair[1] : undefined;
    const contents = isJsonObject(value) && Array.isArray(value.contents) ? value.contents : [];
    const count = contents.reduce<number>((sum, item) => sum + (Array.isArray(item) ? lengthOf(item) : 1), 0);
    if (count > limit) return `the edited contents have ${count} messages; the limit is ${limit}`;
  }
  return undefined;
}

function lengthOf([from, to]: readonly JsonValue[]): number {
  return typeof from === "number" && typeof to === "number" ? Math.max(0, to - from) : 0;
}

function readChanges(state: JsonValue | undefined): VariableChanges {
  const { set, removed } = isJsonObject(state) ? state : {};
  return {
    set: isJsonObject(set) ? set : {},
    removed: textsIn(removed),
  };
}

/** Pairs of index and value become a list with a place for each argument. */
function readEdited(pairs: JsonValue | undefined, positional: readonly PythonArgument[]): (JsonValue | undefined)[] {
  const edited = new Array<JsonValue | undefined>(positional.length).fill(undefined);
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    const [index, value] = Array.isArray(pair) ? pair : [];
    const argument = typeof index === "number" ? positional[index] : undefined;
    if (argument && typeof index === "number") edited[index] = value && withContents(value, argument);
  }
  return edited;
}

/** Contents that were given in the request's value are whole again. */
function withContents(edited: JsonValue, argument: PythonArgument): JsonValue {
  if (argument.kind !== "llm-request" || argument.contents || !isJsonObject(edited)) return edited;
  const given = contentsOf(argument);
  const { contents } = edited;
  if (!given || !Array.isArray(contents)) return edited;
  const whole = contents.flatMap((item) => (Array.isArray(item) ? slice(given, item) : [item]));
  if (whole.length > 0 || argument.value.contents !== undefined) return { ...edited, contents: whole };
  // A request that was given without contents has none.
  const { contents: _none, ...others } = edited;
  return others;
}

function slice(given: JsonList, [from, to]: JsonValue[]): JsonValue[] {
  if (typeof from !== "number" || typeof to !== "number" || to > given.length) return [];
  return Array.from({ length: lengthOf([from, to]) }, (_, at) => given.at(from + at) ?? null);
}
