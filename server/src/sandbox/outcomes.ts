import type { PythonOutcome as SealedOutcome } from "@frontdesk/sealed-python";
import { isJsonObject, type JsonValue, keepSpelling } from "#base";
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
  const returned = { ...rest, state, edited: readEdited(reported.edited, positional) };
  keepSpelling(outcome, "value", returned, "value");
  return returned;
}

function readChanges(state: JsonValue | undefined): VariableChanges {
  const { set, removed } = isJsonObject(state) ? state : {};
  return {
    set: isJsonObject(set) ? set : {},
    removed: Array.isArray(removed) ? removed.filter((name) => typeof name === "string") : [],
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
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => given.at(from + at) ?? null);
}
