import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type CallContext, createMessageJson, type Registry } from "#rpc";
import { ConnectError, type FieldViolation, invalidArgument, toErrorBody } from "#status";
import { createJsonDecoder } from "../json/decode-json.ts";
import { fieldsByName } from "../json/fields.ts";
import { nearestName } from "./nearest-name.ts";
import type { Tool } from "./tool-catalog.ts";

/** Runs a tool and answers an MCP tool result. Refusals are results too (`isError`), so that a model can mend its call. */
export type CallTool = (tool: Tool, args: JsonValue, context: CallContext) => Promise<JsonObject>;

export function createCallTool(registry: Registry): CallTool {
  const decode = createJsonDecoder(registry.types, { strict: true });
  const messageJson = createMessageJson(registry.types);
  return async ({ method }, args, context) => {
    try {
      const known = fieldsByName(method.inside.input);
      if (!isJsonObject(args)) throw invalidArgument({ field: "arguments", description: "must be a JSON object" });
      refuseUnknown(Object.keys(args), known);
      const response = await registry.unary(method, decode(method.inside.input, args), context);
      const structuredContent = messageJson(method.inside.output, response);
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    } catch (error) {
      if (error instanceof ConnectError) return errorResult(error);
      throw error;
    }
  };
}

function refuseUnknown(names: readonly string[], known: ReadonlyMap<string, { readonly jsonName: string }>): void {
  const accepted = [...new Set([...known.values()].map(({ jsonName }) => jsonName))];
  const violations = names.filter((name) => !known.has(name)).map((name) => unknownArgument(name, accepted));
  if (violations.length > 0) throw invalidArgument(violations);
}

function unknownArgument(name: string, accepted: readonly string[]): FieldViolation {
  const nearest = nearestName(name, accepted);
  const hint = nearest ? `did you mean '${nearest}'?` : `the arguments are ${accepted.join(", ")}.`;
  return { field: name, description: `There is no such argument; ${hint}` };
}

/** One sentence for a person, then the same body that REST answers, for a program. */
function errorResult(error: ConnectError): JsonObject {
  const body = toErrorBody(error) as unknown as JsonObject;
  return {
    content: [{ type: "text", text: `${error.rawMessage}\n${JSON.stringify(body)}` }],
    structuredContent: body,
    isError: true,
  };
}
