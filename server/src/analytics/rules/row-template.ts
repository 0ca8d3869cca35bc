import type { Caller, JsonValue } from "#base";
import type { Comparison, RowCondition, RowValue } from "#warehouse";

/** A condition over the columns of a table, before the values of a caller are in it. Negations are in its leaves. */
export type ConditionTemplate =
  | { readonly kind: "all" | "any"; readonly parts: readonly ConditionTemplate[] }
  | { readonly kind: "compare"; readonly column: string; readonly operator: Comparison; readonly value: ValueTemplate }
  | {
      readonly kind: "in";
      readonly column: string;
      readonly negated: boolean;
      readonly values: readonly ValueTemplate[];
    }
  | { readonly kind: "null"; readonly column: string; readonly negated: boolean };

/** A value, or what is known of the caller: `principal`, `email`, or the path of a claim. */
export type ValueTemplate =
  | { readonly kind: "value"; readonly value: RowValue }
  | { readonly kind: "principal" }
  | { readonly kind: "email" }
  | { readonly kind: "claim"; readonly path: readonly string[] };

/** The condition for a caller. What is not known of the caller compares with no row, also where it is negated. */
export function bindCondition(template: ConditionTemplate, caller: Caller): RowCondition {
  switch (template.kind) {
    case "all":
    case "any":
      return { kind: template.kind, parts: template.parts.map((part) => bindCondition(part, caller)) };
    case "null":
      return template;
    case "compare": {
      const { column, operator } = template;
      const [value, ...more] = valuesOf(template.value, caller);
      return value === undefined || more.length > 0 ? { kind: "never" } : { kind: "compare", column, operator, value };
    }
    case "in": {
      const known = template.values.map((value) => valuesOf(value, caller));
      if (known.some((values) => values.length === 0) && template.negated) return { kind: "never" };
      return { kind: "in", column: template.column, negated: template.negated, values: known.flat() };
    }
  }
}

/** Values of a claim that is a list are many. */
function valuesOf(value: ValueTemplate, { principal, claims }: Caller): readonly RowValue[] {
  switch (value.kind) {
    case "value":
      return [value.value];
    case "principal":
      return principal === "" ? [] : [principal];
    case "email": {
      const email = /^(?:user|serviceAccount):(\S+@\S+)$/.exec(principal)?.[1];
      return email === undefined ? [] : [email];
    }
    case "claim": {
      const found = value.path.reduce<JsonValue | undefined>(fieldOf, claims as JsonValue);
      return (Array.isArray(found) ? found : [found]).filter(isRowValue);
    }
  }
}

function fieldOf(object: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof object !== "object" || object === null || Array.isArray(object) || !Object.hasOwn(object, name))
    return undefined;
  return object[name];
}

function isRowValue(value: unknown): value is RowValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
