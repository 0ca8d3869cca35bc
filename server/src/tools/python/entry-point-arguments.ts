import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import { type FieldViolation, invalidArgument } from "#status";
import type { UserCodeCall } from "./run-user-code.ts";

/** A parameter of an entry point, by its documented name. */
export type EntryPointParameter =
  | "callback_context"
  | "llm_request"
  | "llm_response"
  | "tool"
  | "input"
  | "tool_response";

const CONTEXT = ["callback_context"] as const;
const TOOL_CALL = ["tool", "input", "callback_context"] as const;

/** Entry points that the platform calls, with their parameters in order (CB-2, CB-17, CB-18, CB-19). */
const ENTRY_POINTS: ReadonlyMap<string, readonly EntryPointParameter[]> = new Map<
  string,
  readonly EntryPointParameter[]
>([
  ["before_agent_callback", CONTEXT],
  ["after_agent_callback", CONTEXT],
  ["before_model_callback", ["callback_context", "llm_request"]],
  ["after_model_callback", ["callback_context", "llm_response"]],
  ["before_tool_callback", TOOL_CALL],
  ["after_tool_callback", [...TOOL_CALL, "tool_response"]],
  ["should_trigger_transfer_callback", CONTEXT],
]);

/** The parameters of an entry point that the platform calls, by function name; undefined for a tool's function. */
export function entryPointParameters(entry: string): readonly EntryPointParameter[] | undefined {
  return ENTRY_POINTS.get(entry) ?? (entry.startsWith("fake_") ? TOOL_CALL : undefined);
}

/**
 * The arguments of a manual call. An entry point takes its parameters from `args` by name (missing ones are empty objects); a tool
 * takes `args` unchanged. Throws INVALID_ARGUMENT for an unknown parameter and for a value of the wrong type.
 */
export function entryPointArguments(entry: string, args: JsonObject): Pick<UserCodeCall, "positional" | "keyword"> {
  const parameters = entryPointParameters(entry);
  if (!parameters) return { keyword: args };
  const violations = [...unknownNames(entry, parameters, args), ...wrongTypes(args)];
  if (violations.length > 0) throw invalidArgument(violations);
  return { positional: parameters.map((parameter) => toArgument(parameter, args[parameter])) };
}

function unknownNames(entry: string, parameters: readonly EntryPointParameter[], args: JsonObject): FieldViolation[] {
  const accepted = parameters.filter((parameter) => parameter !== "callback_context");
  return Object.keys(args)
    .filter((name) => !accepted.some((parameter) => parameter === name))
    .map((name) => ({
      field: `args.${name}`,
      description: `${entry} has no such argument; it takes ${accepted.join(", ") || "none beside the context"}`,
    }));
}

function wrongTypes(args: JsonObject): FieldViolation[] {
  return Object.entries(args)
    .filter(([name, value]) => !isJsonObject(value) && !(name === "tool" && typeof value === "string"))
    .map(([name]) => ({ field: `args.${name}`, description: "must be an object" }));
}

function toArgument(parameter: EntryPointParameter, given: JsonValue | undefined): PythonArgument {
  const value = isJsonObject(given) ? given : {};
  switch (parameter) {
    case "callback_context":
      return { kind: "callback-context" };
    case "llm_request":
      return { kind: "llm-request", value };
    case "llm_response":
      return { kind: "llm-response", value };
    case "tool":
      return typeof given === "string"
        ? { kind: "tool", name: given, description: "" }
        : { kind: "tool", name: String(value.name ?? ""), description: String(value.description ?? "") };
    default:
      return { kind: "json", value };
  }
}
