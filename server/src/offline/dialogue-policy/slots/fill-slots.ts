import type { JsonObject, JsonValue } from "#base";
import type { FunctionDeclaration } from "#models";
import { type Action, callFunction, respond } from "../action.ts";
import { type DialogueEvent, type DialogueState, isRepeated } from "../dialogue-state.ts";
import { findSlotValue, openSlotText } from "./find-value.ts";
import { type Parameter, parametersOf } from "./parameter.ts";
import { questionFor } from "./question.ts";

/** A text of the user about one call, and the parameter that it answers, if the agent asked for one. */
export interface Utterance {
  readonly text: string;
  readonly answers?: string;
}

/** The filled arguments in the order of the schema, and the required parameters without a value. */
interface FilledSlots {
  readonly args: JsonObject;
  readonly missing: readonly Parameter[];
}

/**
 * Fills a function's parameters from, in order: the user's texts (the newest first), a variable of
 * the same name, the same argument of an earlier call, a variable such as `last_order_id` for `order_id`.
 */
export function fillSlots(
  declaration: FunctionDeclaration,
  utterances: readonly Utterance[],
  memory: { readonly state: JsonObject; readonly events: readonly DialogueEvent[] },
): FilledSlots {
  const found: JsonObject = {};
  const parameters = parametersOf(declaration);
  for (const utterance of utterances) fillFromUtterance(found, parameters, utterance);
  const args: JsonObject = {};
  for (const parameter of parameters) {
    const value = found[parameter.name] ?? remembered(parameter, memory);
    if (value !== undefined) args[parameter.name] = value;
  }
  return { args, missing: parameters.filter(({ name, required }) => required && !(name in args)) };
}

/** The parameter that the agent asked for consumes its entity before the others. */
function fillFromUtterance(args: JsonObject, parameters: readonly Parameter[], utterance: Utterance): void {
  const text = openSlotText(utterance.text, utterance.answers);
  const asked = (parameter: Parameter) => Number(parameter.name === utterance.answers);
  for (const parameter of parameters.toSorted((left, right) => asked(right) - asked(left))) {
    if (
      parameter.name in args ||
      (parameter.kind === "utterance" && utterance.answers !== undefined && !asked(parameter))
    )
      continue;
    const value = findSlotValue(parameter, text);
    if (value !== undefined) args[parameter.name] = value;
  }
}

/** Kinds whose value stays valid through a conversation; a reason or an amount does not. */
const LASTING_KINDS: ReadonlySet<string> = new Set(["identifier", "email", "phone", "name"]);

function remembered(
  parameter: Parameter,
  memory: { readonly state: JsonObject; readonly events: readonly DialogueEvent[] },
): JsonValue | undefined {
  const variable = memory.state[parameter.name];
  if (isGiven(variable) && fitsType(variable, parameter)) return variable;
  if (!parameter.required || !LASTING_KINDS.has(parameter.kind)) return undefined;
  const used = memory.events.findLast((event) => event.kind === "call" && isGiven(event.args[parameter.name]));
  if (used?.kind === "call") return used.args[parameter.name];
  const related = Object.entries(memory.state).find(
    ([name, value]) => name.endsWith(`_${parameter.name}`) && isGiven(value),
  );
  return related !== undefined && fitsType(related[1], parameter) ? related[1] : undefined;
}

/** A variable at its empty default has no value. */
function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== "";
}

function fitsType(value: JsonValue, parameter: Parameter): boolean {
  switch (parameter.kind) {
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    default:
      return typeof value === "string";
  }
}

/** Calls a function when its required parameters are filled, or asks for the first missing one; undefined when the same call was made in this turn. */
export function callOrAsk(
  dialogue: DialogueState,
  declaration: FunctionDeclaration,
  utterances: readonly Utterance[],
): Action | undefined {
  const { args, missing } = fillSlots(declaration, utterances, dialogue);
  const [next] = missing;
  if (next !== undefined) return respond(`ask:${declaration.name}.${next.name}`, questionFor(next));
  return isRepeated(dialogue, declaration.name, args)
    ? undefined
    : callFunction(`tool:${declaration.name}`, declaration.name, args);
}
