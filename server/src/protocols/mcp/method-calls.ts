import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { createMessageJson, type RegisteredMethod, type Registry, withValidateOnly } from "#rpc";
import { type FieldViolation, invalidArgument } from "#status";
import { createJsonDecoder } from "../json/decode-json.ts";
import { fieldsByName } from "../json/fields.ts";
import { createFoldStream } from "./fold-stream.ts";
import { createFollowOperation } from "./follow-operation.ts";
import { nearestName } from "./nearest-name.ts";
import type { ToolCall } from "./tool.ts";

/** How tools call methods: arguments in, response out. Refusals are ConnectErrors. */
export interface MethodCalls {
  /** Arguments as a request; INVALID_ARGUMENT with every wrong path and what is expected there. */
  read(method: RegisteredMethod, args: JsonObject): Message;
  /** Calls, and tells the client how it goes if it asked for that. */
  call(method: RegisteredMethod, request: Message, call: ToolCall): Promise<Message>;
  /** The same without doing anything: checks it as far as the method can. */
  check(method: RegisteredMethod, request: Message, call: ToolCall): Promise<Message>;
  render(method: RegisteredMethod, response: Message): JsonValue;
}

export function createMethodCalls(registry: Registry): MethodCalls {
  const decode = createJsonDecoder(registry.types, { strict: true });
  const messageJson = createMessageJson(registry.types);
  const follow = createFollowOperation(registry);
  const fold = createFoldStream(registry);
  return {
    read: ({ internalMethod }, args) => {
      refuseUnknown(args, internalMethod.input);
      return decode(internalMethod.input, withJoinedMask(args));
    },
    call: async (method, request, call) => {
      const streamed = fold(method, request, call);
      const response = await (streamed ?? registry.unary(method, request, call.context));
      const isOperation = response.$typeName === "google.longrunning.Operation";
      return isOperation && method.method.name !== "GetOperation" ? follow(response as Operation, call) : response;
    },
    check: (method, request, { context }) => registry.unary(method, request, withValidateOnly(context)),
    render: ({ internalMethod }, response) => messageJson(internalMethod.output, response),
  };
}

/** Models like to write masks as lists. */
function withJoinedMask(args: JsonObject): JsonObject {
  const key = "updateMask" in args ? "updateMask" : "update_mask";
  const mask = args[key];
  if (!Array.isArray(mask) || !mask.every((path) => typeof path === "string")) return args;
  return { ...args, [key]: mask.join(",") };
}

function refuseUnknown(args: JsonObject, type: DescMessage): void {
  const known = fieldsByName(type);
  const accepted = type.fields.map(({ jsonName }) => jsonName);
  const violations = Object.keys(args)
    .filter((name) => !known.has(name))
    .map((name) => unknownArgument(name, accepted));
  if (violations.length > 0) throw invalidArgument(violations);
}

/** An argument that a tool does not have, with the one that was probably meant. */
export function unknownArgument(name: string, accepted: readonly string[]): FieldViolation {
  const nearest = nearestName(name, accepted);
  const hint = nearest ? `did you mean '${nearest}'?` : `the arguments are ${accepted.join(", ")}.`;
  return { field: name, description: `There is no such argument; ${hint}` };
}

/** The arguments of a call, which must be an object. */
export function argumentsOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  throw invalidArgument({ field: "arguments", description: "must be a JSON object" });
}
