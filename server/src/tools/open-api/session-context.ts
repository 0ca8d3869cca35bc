import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ToolContext } from "../contract.ts";
import { sessionSource } from "./read-operation.ts";

/** Values of a session for annotated parameters. */
export type SessionContext = Pick<ToolContext, "app" | "turn" | "python">;

/** The path of a body field and the session value that fills it. */
export interface SessionField {
  readonly path: readonly string[];
  readonly expression: string;
}

/** The value of an expression such as `$context.session_id` (TOOL-36); undefined when it has none in this session. */
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

/** Whether `sessionValue` knows an expression. */
export function isSessionExpression(expression: string): boolean {
  return /^\$context\.(?:project_id|project_number|location|app_id|session_id|turn_index|variables(?:\..+)?)$/.test(
    expression,
  );
}

/** Splits a schema into properties that the model fills and properties that the session fills, nested ones included. */
export function splitSessionFields(
  schema: JsonObject,
  path: readonly string[] = [],
): { readonly modelSchema: JsonObject; readonly sessionFields: readonly SessionField[] } {
  const { properties, required, ...rest } = schema;
  if (!isJsonObject(properties)) return { modelSchema: schema, sessionFields: [] };
  const sessionFields: SessionField[] = [];
  const modelProperties: JsonObject = {};
  for (const [name, field] of Object.entries(properties)) {
    if (!isJsonObject(field)) continue;
    const expression = sessionSource(field);
    if (expression !== undefined) {
      sessionFields.push({ path: [...path, name], expression });
      continue;
    }
    const inner = splitSessionFields(field, [...path, name]);
    modelProperties[name] = inner.modelSchema;
    sessionFields.push(...inner.sessionFields);
  }
  const modelRequired = Array.isArray(required)
    ? required.filter((name) => typeof name === "string" && name in modelProperties)
    : [];
  const modelSchema = {
    ...rest,
    properties: modelProperties,
    ...(modelRequired.length > 0 && { required: modelRequired }),
  };
  return { modelSchema, sessionFields };
}

/** A copy of a value with one more field, at any depth. */
export function withField(
  value: JsonValue | undefined,
  [first, ...rest]: readonly string[],
  field: JsonValue,
): JsonValue {
  if (first === undefined) return field;
  const object = isJsonObject(value) ? value : {};
  return { ...object, [first]: withField(Object.hasOwn(object, first) ? object[first] : undefined, rest, field) };
}
