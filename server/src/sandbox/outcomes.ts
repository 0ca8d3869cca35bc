import type { PythonOutcome as SealedOutcome } from "@frontdesk/sealed-python";
import { isJsonObject, type JsonValue, keepSpelling } from "#base";
import type { PythonOutcome, VariableChanges } from "./contract.ts";

/**
 * The outcome with what the guest program reported: changes of variables, and arguments that were edited. The report comes from
 * where the user's code ran, so its shape is checked, not believed.
 */
export function outcomeOf(outcome: SealedOutcome, positionalCount: number): PythonOutcome {
  if (outcome.kind !== "returned" && outcome.kind !== "raised") return outcome;
  const { report, ...rest } = outcome;
  const reported = isJsonObject(report) ? report : {};
  const state = readChanges(reported.state);
  if (rest.kind === "raised") return { ...rest, state };
  const returned = { ...rest, state, edited: readEdited(reported.edited, positionalCount) };
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
function readEdited(pairs: JsonValue | undefined, count: number): (JsonValue | undefined)[] {
  const edited = new Array<JsonValue | undefined>(count).fill(undefined);
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    if (Array.isArray(pair) && typeof pair[0] === "number" && pair[0] in edited) edited[pair[0]] = pair[1];
  }
  return edited;
}
