import type { JsonObject, JsonValue } from "#base";
import type { FunctionDeclaration } from "#models";
import type { Step } from "./conversation.ts";
import { findParameter } from "./find-parameter.ts";
import { type Parameter, parametersOf } from "./parameter.ts";
import { slotText } from "./slot-text.ts";

/** Something the user said about one call, and the parameter that it answered, if the agent had asked for one. */
export interface Statement {
  readonly text: string;
  readonly answers?: string;
}

/** Arguments as far as they are known, in the order of the schema, and the required parameters that are not. */
export interface FilledSlots {
  readonly args: JsonObject;
  readonly missing: readonly Parameter[];
}

/**
 * Fills a function's parameters from, in order of trust: what the user said (the newest statement first), a variable of
 * the same name, the same argument of an earlier call, a variable such as `last_order_id` for `order_id`.
 */
export function fillSlots(
  declaration: FunctionDeclaration,
  statements: readonly Statement[],
  memory: { readonly state: JsonObject; readonly steps: readonly Step[] },
): FilledSlots {
  const found: JsonObject = {};
  const parameters = parametersOf(declaration);
  for (const statement of statements) stateInto(found, parameters, statement);
  const args: JsonObject = {};
  for (const parameter of parameters) {
    const value = found[parameter.name] ?? remembered(parameter, memory);
    if (value !== undefined) args[parameter.name] = value;
  }
  return { args, missing: parameters.filter(({ name, required }) => required && !(name in args)) };
}

/** The parameter that was asked for takes its value first, so that another one does not use it up. */
function stateInto(args: JsonObject, parameters: readonly Parameter[], statement: Statement): void {
  const text = slotText(statement.text, statement.answers);
  const asked = (parameter: Parameter) => Number(parameter.name === statement.answers);
  for (const parameter of parameters.toSorted((left, right) => asked(right) - asked(left))) {
    if (
      parameter.name in args ||
      (parameter.kind === "utterance" && statement.answers !== undefined && !asked(parameter))
    )
      continue;
    const value = findParameter(parameter, text);
    if (value !== undefined) args[parameter.name] = value;
  }
}

/** Kinds that keep naming the same thing through a conversation; a reason or an amount given once does not. */
const LASTING_KINDS: ReadonlySet<string> = new Set(["identifier", "email", "phone", "name"]);

function remembered(
  parameter: Parameter,
  memory: { readonly state: JsonObject; readonly steps: readonly Step[] },
): JsonValue | undefined {
  const variable = memory.state[parameter.name];
  if (isGiven(variable) && fitsType(variable, parameter)) return variable;
  if (!parameter.required || !LASTING_KINDS.has(parameter.kind)) return undefined;
  const used = memory.steps.findLast((step) => step.kind === "call" && isGiven(step.args[parameter.name]));
  if (used?.kind === "call") return used.args[parameter.name];
  const related = Object.entries(memory.state).find(
    ([name, value]) => name.endsWith(`_${parameter.name}`) && isGiven(value),
  );
  return related !== undefined && fitsType(related[1], parameter) ? related[1] : undefined;
}

/** A variable at its empty default holds nothing. */
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
