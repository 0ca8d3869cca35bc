import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError, createClient } from "@connectrpc/connect";
import { type Operation, Operations } from "@frontdesk/protos/google/longrunning/operations";
import { binaryTransport } from "./transport.ts";

/** Milliseconds between two polls of a running operation. */
const PAUSE = 400;

/** What a long-running operation came to, once it has ended; its error is thrown as an error. */
export async function waitForOperation<Desc extends DescMessage>(
  started: Operation,
  schema: Desc,
): Promise<MessageShape<Desc>> {
  const operations = createClient(Operations, binaryTransport);
  let operation = started;
  while (!operation.done) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    operation = await operations.getOperation({ name: operation.name });
  }
  const { result } = operation;
  if (result.case === "error") throw statusErrorOf(result.value);
  return (result.case === "response" && anyUnpack(result.value, schema)) || create(schema);
}

/** Asks a running operation to end; what it did so far stays. */
export async function cancelOperation(name: string): Promise<void> {
  await createClient(Operations, binaryTransport).cancelOperation({ name });
}

/** The status of an operation as the error of a call, details included. */
function statusErrorOf({ message, code, details }: { message: string; code: number; details: Detail[] }): ConnectError {
  const error = new ConnectError(message, code as Code);
  error.details = details.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value }));
  return error;
}

interface Detail {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}
