import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonContext } from "#sandbox";
import { type FieldViolation, invalidArgument } from "#status";

/**
 * Reads the callback context that a client sends for a call of user code: attributes of `CallbackContext` under their Python names
 * (camelCase is accepted), `state` or `variables` for the variables. All attributes are optional. Throws INVALID_ARGUMENT for values
 * of the wrong type; `field` is the request field of the context.
 */
export function readPythonContext(context: JsonObject, field: string): PythonContext {
  const { variables, state = variables, ...rest } = withSnakeCaseNames(context);
  const { events, user_content, invocation_id, agent_name, session_id, function_call_id, ...extra } = rest;
  const violations: FieldViolation[] = [];
  const reader = createReader(field, violations);
  const read: PythonContext = {
    invocationId: reader.text("invocation_id", invocation_id),
    agentName: reader.text("agent_name", agent_name),
    sessionId: reader.text("session_id", session_id),
    ...(function_call_id !== undefined && { functionCallId: reader.text("function_call_id", function_call_id) }),
    state: reader.object("state", state),
    userContent: user_content === null ? null : reader.content("user_content", user_content),
    events: reader.objects("events", events),
    extra,
  };
  if (violations.length > 0) throw invalidArgument(violations);
  return read;
}

function withSnakeCaseNames(context: JsonObject): JsonObject {
  const names = Object.entries(context).map(([name, value]) => [name.replace(/[A-Z]/g, toSnakeCase), value]);
  return Object.fromEntries(names);
}

function toSnakeCase(letter: string): string {
  return `_${letter.toLowerCase()}`;
}

function createReader(field: string, violations: FieldViolation[]) {
  const wrong = (name: string, expected: string) => {
    violations.push({ field: `${field}.${name}`, description: `must be ${expected}` });
  };
  const object = (name: string, value: JsonValue | undefined): JsonObject => {
    if (value !== undefined && !isJsonObject(value)) wrong(name, "an object");
    return isJsonObject(value) ? value : {};
  };
  return {
    object,
    content: (name: string, value: JsonValue | undefined) => (value === undefined ? null : object(name, value)),
    text: (name: string, value: JsonValue | undefined): string => {
      if (value !== undefined && typeof value !== "string") wrong(name, "a text");
      return typeof value === "string" ? value : "";
    },
    objects: (name: string, value: JsonValue | undefined): JsonObject[] => {
      const items = Array.isArray(value) ? value : [];
      const objects = items.filter(isJsonObject);
      if ((value !== undefined && !Array.isArray(value)) || objects.length < items.length)
        wrong(name, "a list of objects");
      return objects;
    },
  };
}
