import { type JsonObject, type JsonValue, textOrJson } from "#base";
import { OutboundError } from "./contract.ts";

const REFERENCE = /^\$context\.variables\.(.+)$/;

/** The NAME in `$context.variables.NAME`; undefined for any other text. */
export function variableNamed(reference: string): string | undefined {
  return REFERENCE.exec(reference.trim())?.[1];
}

/** A variable's value as text; undefined when it has none. */
export function variableText(name: string, variables: JsonObject): string | undefined {
  const value: JsonValue | undefined = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  return textOrJson(value);
}

/** The value of a reference in a credential. Throws `OutboundError`, which names `field` and the variable, never the value. */
export function requiredVariable(reference: string, field: string, variables: JsonObject): string {
  const name = variableNamed(reference);
  if (name === undefined)
    throw new OutboundError("unauthorized", `${field} must have the form $context.variables.NAME.`);
  const value = variableText(name, variables);
  if (value !== undefined) return value;
  throw new OutboundError("unauthorized", `${field} is the variable '${name}', which has no value in this session.`);
}
