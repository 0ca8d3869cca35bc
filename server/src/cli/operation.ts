import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Operation, Operations } from "@frontdesk/protos/google/longrunning/operations";
import { CommandError, type CommandInput } from "./command.ts";
import { clientFor } from "./server-client.ts";

/** Waits for an operation and returns its response. Throws `CommandError` with the message of a failed one. */
export async function finished<O extends DescMessage>(
  operation: Operation,
  response: O,
  input: CommandInput,
): Promise<MessageShape<O>> {
  const operations = clientFor(Operations, input);
  let current = operation;
  while (!current.done) current = await operations.waitOperation({ name: current.name });
  if (current.result.case === "error") throw new CommandError(current.result.value.message);
  const message = current.result.case === "response" ? anyUnpack(current.result.value, response) : undefined;
  if (!message) throw new CommandError(`operation ${current.name} ended without a ${response.name}.`);
  return message;
}
