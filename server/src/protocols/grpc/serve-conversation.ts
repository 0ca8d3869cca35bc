import type { IncomingMessage } from "node:http";
import { toBinary } from "@bufbuild/protobuf";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { createCallContext, logFailedRequest, type RegisteredMethod, type Registry } from "#rpc";
import { toStatusError } from "#status";
import { type Exchange, headerMap, type WholeDeps } from "../http/exchange.ts";
import { write } from "../http/send.ts";
import { rewriteGrpcMessage } from "./grpc-message.ts";
import { ENCODINGS, RequestMessages } from "./request-messages.ts";

/** Whether a request is a conversation over gRPC proper: HTTP/2, binary messages, both ways at once. */
export function isConversation({ method }: RegisteredMethod, request: IncomingMessage): boolean {
  return (
    method.methodKind === "bidi_streaming" &&
    request.httpVersionMajor === 2 &&
    /^application\/grpc(\+proto)?(;|$)/.test(request.headers["content-type"] ?? "")
  );
}

/**
 * Serves one call of a bidirectional method. The library that serves the other calls stacks a dozen generators on a stream;
 * conversations rest by the thousand, so theirs are read and written here. Rejects when the answer cannot be sent.
 */
export async function serveConversation(
  method: RegisteredMethod,
  exchange: Exchange,
  registry: Registry,
  deps: WholeDeps,
): Promise<void> {
  const { request, response } = exchange;
  response.writeHead(200, { "content-type": "application/grpc+proto", "grpc-accept-encoding": ENCODINGS });
  response.flushHeaders();
  let failure: unknown;
  try {
    const context = contextOf(method, exchange, deps);
    const requests = new RequestMessages(request, method, deps.limits.maxBodyBytes);
    for await (const message of registry.stream(method, requests, context))
      await write(response, frameOf(toBinary(method.internalMethod.output, message)));
  } catch (error) {
    failure = error;
  }
  response.addTrailers(trailersOf(failure));
  response.end();
  request.resume();
}

/** How the call ended; `undefined` for well. */
function trailersOf(failure: unknown): Record<string, string> {
  const trailer = new Headers();
  setTrailerStatus(trailer, failure === undefined ? undefined : toStatusError(failure));
  rewriteGrpcMessage(trailer);
  return Object.fromEntries(trailer);
}

function contextOf({ revision, path }: RegisteredMethod, exchange: Exchange, { clock, logger }: WholeDeps) {
  const { request, requestId, signal, startedAt } = exchange;
  const headers = headerMap(request);
  const { timeoutMs, error } = parseTimeout(headers.get("grpc-timeout") ?? null, Number.POSITIVE_INFINITY);
  if (error) {
    const line = { method: path.slice(1).replace("/", "."), protocol: "grpc", revision, requestId, startedAt } as const;
    throw logFailedRequest(logger, clock, line, error);
  }
  const deadline = timeoutMs !== undefined && { deadline: startedAt + timeoutMs };
  return createCallContext({ signal, ...deadline, revision, protocol: "grpc", headers, requestId }, logger);
}

/** Five bytes before each message: not packed, and its length. */
function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(5 + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}
