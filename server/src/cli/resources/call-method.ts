import type { DescMessage, JsonObject, Message } from "@bufbuild/protobuf";
import { type Operation, OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { readMessage } from "#aip";
import { ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { jsonOf } from "../output/json-of.ts";
import { finished } from "../server/operation.ts";
import { clientFor } from "../server/server-client.ts";
import type { CollectionMethod } from "./collections.ts";

type Called = Pick<CollectionMethod, "service" | "method"> & { readonly roles: { readonly resource: DescMessage } };

/** Calls a method with a request in JSON, waits for the operation that it may start, and returns the result in JSON. */
export async function callMethod(
  { service, method, roles }: Called,
  input: CommandInput,
  request: JsonObject,
  response: DescMessage = roles.resource,
): Promise<JsonObject> {
  const client = clientFor(service, input) as unknown as Record<string, (request: Message) => Promise<Message>>;
  const answer = await client[method.localName]?.(readRequest(method.input, request));
  if (!answer) throw new CommandError(`the client has no method ${method.name}.`);
  if (method.output.typeName !== OperationSchema.typeName) return jsonOf(method.output, answer);
  return jsonOf(response, await finished(answer as Operation, response, input));
}

function readRequest(type: DescMessage, request: JsonObject): Message {
  try {
    return readMessage(type, request);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    throw new CommandError(`the resource does not fit: ${(error as Error).message}.`);
  }
}
