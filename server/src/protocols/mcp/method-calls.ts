import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { isJsonObject, type JsonObject, type JsonValue, nearestName } from "#base";
import { createMessageJson, type RegisteredMethod, type Registry, withValidateOnly } from "#rpc";
import { type FieldViolation, invalidArgument } from "#status";
import { createJsonDecoder } from "../json/decode-json.ts";
import { fieldsByName } from "../json/fields.ts";
import { createStreamCollector } from "./collect-stream.ts";
import { createOperationPoller } from "./poll-operation.ts";
import type { ToolCall } from "./tool.ts";

/** How tools call methods: arguments in, response out. Errors are `ConnectError`s. */
export interface MethodCalls {
  /** Decodes arguments to a request. INVALID_ARGUMENT with every invalid path and what is expected there. */
  read(method: RegisteredMethod, args: JsonObject): Message;
  /** Calls the method, with progress if the client requested it. */
  call(method: RegisteredMethod, request: Message, call: ToolCall): Promise<Message>;
  /** Validates the call without executing it, as far as the method can. */
  check(method: RegisteredMethod, request: Message, call: ToolCall): Promise<Message>;
  render(method: RegisteredMethod, response: Message): JsonValue;
}

/** Calls the methods of a registry. Arguments are read strictly: an unknown one is an error. */
export function createMethodCalls(registry: Registry): MethodCalls {
  const decode = createJsonDecoder(registry.types, { strict: true });
  const messageJson = createMessageJson(registry.types);
  const poll = createOperationPoller(registry);
  const collect = createStreamCollector(registry);
  return {
    read: ({ internalMethod }, args) => {
      rejectUnknownArguments(args, internalMethod.input);
      return decode(internalMethod.input, withJoinedMask(args));
    },
    call: async (method, request, call) => {
      const streamed = collect(method, request, call);
      const response = await (streamed ?? registry.unary(method, request, call.context));
      const isOperation = response.$typeName === "google.longrunning.Operation";
      return isOperation && method.method.name !== "GetOperation" ? poll(response as Operation, call) : response;
    },
    check: (method, request, { context }) => registry.unary(method, request, withValidateOnly(context)),
    render: ({ internalMethod }, response) => messageJson(internalMethod.output, response),
  };
}

/** Models often write masks as lists. */
function withJoinedMask(args: JsonObject): JsonObject {
  const key = "updateMask" in args ? "updateMask" : "update_mask";
  const mask = args[key];
  if (!Array.isArray(mask) || !mask.every((path) => typeof path === "string")) return args;
  return { ...args, [key]: mask.join(",") };
}

function rejectUnknownArguments(args: JsonObject, type: DescMessage): void {
  const known = fieldsByName(type);
  const accepted = type.fields.map(({ jsonName }) => jsonName);
  const violations = Object.keys(args)
    .filter((name) => !known.has(name))
    .map((name, at) =>
      at < MAX_HINTS ? unknownArgument(name, accepted) : { field: name, description: "There is no such argument." },
    );
  if (violations.length > 0) throw invalidArgument(violations);
}

/** Unknown arguments that are compared with the known ones, which takes some microseconds each. */
const MAX_HINTS = 100;

/** The violation of an unknown argument, with the name that was probably meant. */
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
