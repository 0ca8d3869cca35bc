import type { DeclaredVariable } from "../app/linted-app.ts";

/** Whether every app has a variable without declaring it (TURN-41), or the prefix says that it is none of the app's. */
export function isPredefined(name: string): boolean {
  return /^(?:current_date|_session)(?:\.|$)|^(?:temp|user|app):/.test(name);
}

/** What a name or dotted path leads to among the declared variables. */
export type VariableUse =
  | { readonly kind: "declared"; readonly variable: DeclaredVariable | undefined }
  /** A property that the object's schema lacks, or a property of what is no object. */
  | { readonly kind: "no-property"; readonly owner: DeclaredVariable; readonly property: string }
  /** A name that only properties of objects have: `parents` are their paths. */
  | { readonly kind: "nested"; readonly paths: readonly string[] }
  | { readonly kind: "undeclared" };

/** Looks up a name or dotted path. */
export function lookUpVariable(path: string, variables: ReadonlyMap<string, DeclaredVariable>): VariableUse {
  if (isPredefined(path)) return { kind: "declared", variable: undefined };
  const whole = variables.get(path);
  if (whole) return { kind: "declared", variable: whole };
  const [first = "", ...properties] = path.split(".");
  let variable = variables.get(first);
  if (!variable) {
    const paths = properties.length > 0 ? [] : nestedPaths(path, variables);
    return paths.length > 0 ? { kind: "nested", paths } : { kind: "undeclared" };
  }
  for (const property of properties) {
    if (variable.type === "OBJECT" && variable.properties.size === 0) return { kind: "declared", variable: undefined };
    const inner = variable.properties.get(property);
    if (!inner) return { kind: "no-property", owner: variable, property };
    variable = inner;
  }
  return { kind: "declared", variable };
}

function nestedPaths(name: string, variables: ReadonlyMap<string, DeclaredVariable>): readonly string[] {
  return [...variables].flatMap(([key, { properties }]) => [
    ...(properties.has(name) ? [`${key}.${name}`] : []),
    ...nestedPaths(name, properties).map((path) => `${key}.${path}`),
  ]);
}
