import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ToolContext } from "../contract.ts";
import { sessionSource } from "./read-operation.ts";

/** What of a session can fill an annotated parameter. */
export type SessionContext = Pick<ToolContext, "app" | "turn" | "python">;

/** A place in a value, field by field, and what the session puts there. */
export interface SessionField {
  readonly path: readonly string[];
  readonly expression: string;
}

/** The value of `$context.session_id` and the like (TOOL-36); undefined for what has none in this session. */
export function sessionValue(expression: string, { app, turn, python }: SessionContext): JsonValue | undefined {
  const [, project, , location, , id] = app.split("/");
  const variable = /^\$context\.variables\.(.+)$/.exec(expression)?.[1];
  if (variable !== undefined) return Object.hasOwn(python.state, variable) ? python.state[variable] : undefined;
  switch (expression) {
    case "$context.variables":
      return { ...python.state };
    case "$context.project_id":
    case "$context.project_number":
      return project;
    case "$context.location":
      return location;
    case "$context.app_id":
      return id;
    case "$context.session_id":
      return python.sessionId;
    case "$context.turn_index":
      return Number(/#(\d+)/.exec(turn)?.[1] ?? 0);
    default:
      return undefined;
  }
}

/** Whether an expression is one that sessions know. */
export function isSessionExpression(expression: string): boolean {
  return /^\$context\.(?:project_id|project_number|location|app_id|session_id|turn_index|variables(?:\..+)?)$/.test(
    expression,
  );
}

/** Splits a schema into what the model gives and what the session fills, fields of fields included. */
export function splitSessionFields(
  schema: JsonObject,
  path: readonly string[] = [],
): { readonly open: JsonObject; readonly filled: readonly SessionField[] } {
  const { properties, required, ...rest } = schema;
  if (!isJsonObject(properties)) return { open: schema, filled: [] };
  const filled: SessionField[] = [];
  const open: JsonObject = {};
  for (const [name, field] of Object.entries(properties)) {
    if (!isJsonObject(field)) continue;
    const expression = sessionSource(field);
    if (expression !== undefined) {
      filled.push({ path: [...path, name], expression });
      continue;
    }
    const inner = splitSessionFields(field, [...path, name]);
    open[name] = inner.open;
    filled.push(...inner.filled);
  }
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string" && name in open) : [];
  return { open: { ...rest, properties: open, ...(needed.length > 0 && { required: needed }) }, filled };
}

/** A value with one more field, at any depth. */
export function withField(
  value: JsonValue | undefined,
  [first, ...rest]: readonly string[],
  field: JsonValue,
): JsonValue {
  if (first === undefined) return field;
  const object = isJsonObject(value) ? value : {};
  return { ...object, [first]: withField(Object.hasOwn(object, first) ? object[first] : undefined, rest, field) };
}
