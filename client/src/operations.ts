import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Client, type Code, ConnectError } from "@connectrpc/connect";
import type { Operation, Operations } from "#gen/google/longrunning/operations";

/** How long to wait for an operation. */
export interface WaitOptions {
  /** Ends the waiting; the operation goes on. Cancel it with `operations.cancelOperation`. */
  readonly signal?: AbortSignal;
  /** Told what the operation says of its progress, each time it is asked. */
  readonly onProgress?: (operation: Operation) => void;
}

/** Seconds that one call waits at most, so that no proxy takes it for dead. */
const SECONDS_OF_CALL = 20n;

/**
 * Waits until a long-running operation ends and returns its response. Rejects with a `ConnectError` that has the code, message and
 * details of the operation's status when it failed.
 */
export async function waitForOperation<Desc extends DescMessage>(
  operations: Client<typeof Operations>,
  started: Operation,
  response: Desc,
  { signal, onProgress }: WaitOptions = {},
): Promise<MessageShape<Desc>> {
  let operation = started;
  while (!operation.done) {
    onProgress?.(operation);
    const wait = { name: operation.name, timeout: { seconds: SECONDS_OF_CALL } };
    operation = await operations.waitOperation(wait, signal ? { signal } : {});
  }
  const { result } = operation;
  if (result.case === "error") throw errorOf(result.value);
  if (result.case === "response") {
    const message = anyUnpack(result.value, response);
    if (message) return message;
    const given = result.value.typeUrl.split("/").at(-1);
    throw new TypeError(
      `${operation.name} answers ${given}, not ${response.typeName}: pass the schema of that message.`,
    );
  }
  return create(response);
}

interface Status {
  readonly code: number;
  readonly message: string;
  readonly details: readonly { readonly typeUrl: string; readonly value: Uint8Array }[];
}

function errorOf({ code, message, details }: Status): ConnectError {
  const error = new ConnectError(message, code as Code);
  error.details = details.map(({ typeUrl, value }) => ({ type: typeUrl.split("/").at(-1) ?? "", value }));
  return error;
}
