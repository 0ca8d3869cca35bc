import type { IncomingMessage } from "node:http";
import { type Message, toBinary } from "@bufbuild/protobuf";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { createCallContext, logFailedRequest, type RegisteredMethod, type Registry } from "#rpc";
import { toStatusError } from "#status";
import { responseSelection } from "../fields/select-message.ts";
import type { Exchange, ResolvedDeps } from "../http/exchange.ts";
import { write } from "../http/send.ts";
import { senderOf } from "../http/sender.ts";
import { fitTrailers } from "./fit-trailers.ts";
import { frameOf, rewriteGrpcMessage } from "./framing.ts";
import { heartbeatOf } from "./heartbeats.ts";
import { ENCODINGS, RequestMessages } from "./request-messages.ts";

/** Whether a request calls a bidirectional method over gRPC itself: HTTP/2 and binary messages. */
export function isBidiStream({ method }: RegisteredMethod, request: IncomingMessage): boolean {
  return (
    method.methodKind === "bidi_streaming" &&
    request.httpVersionMajor === 2 &&
    /^application\/grpc(\+proto)?(;|$)/.test(request.headers["content-type"] ?? "")
  );
}

/**
 * Serves one call of a bidirectional method. connect-es, which serves the other calls, stacks a dozen generators on a stream: too much
 * for thousands of idle conversations. Rejects when the response cannot be sent.
 */
export async function serveBidiStream(
  method: RegisteredMethod,
  exchange: Exchange,
  registry: Registry,
  deps: ResolvedDeps,
): Promise<void> {
  const { request, response } = exchange;
  response.writeHead(200, { "content-type": "application/grpc+proto", "grpc-accept-encoding": ENCODINGS });
  response.flushHeaders();
  let failure: unknown;
  const heartbeat = heartbeatOf(method);
  const timer = setInterval(() => {
    if (heartbeat && !response.destroyed && !response.writableNeedDrain)
      response.write(frameOf(toBinary(method.internalMethod.output, heartbeat)));
  }, deps.heartbeatMs);
  try {
    const { context, select = unchanged } = await openCall(method, exchange, deps);
    const requests = new RequestMessages(request, method, deps.limitsOf(context.caller).maxBodyBytes);
    for await (const message of registry.stream(method, requests, context)) {
      timer.refresh();
      await write(response, frameOf(toBinary(method.internalMethod.output, select(message))));
    }
  } catch (error) {
    failure = error;
  } finally {
    clearInterval(timer);
  }
  response.addTrailers(trailersOf(failure));
  response.end();
  request.resume();
}

/** The status of the call; `undefined` means OK. */
function trailersOf(failure: unknown): Record<string, string> {
  const trailer = new Headers();
  setTrailerStatus(trailer, failure === undefined ? undefined : fitTrailers(toStatusError(failure)));
  rewriteGrpcMessage(trailer);
  return Object.fromEntries(trailer);
}

function unchanged(message: Message): Message {
  return message;
}

async function openCall({ internalMethod, revision, path }: RegisteredMethod, exchange: Exchange, deps: ResolvedDeps) {
  const { clock, logger } = deps;
  const { requestId, signal, startedAt } = exchange;
  const sender = await senderOf(exchange, deps);
  try {
    const { timeoutMs, error } = parseTimeout(sender.headers.get("grpc-timeout") ?? null, Number.POSITIVE_INFINITY);
    if (error) throw error;
    const deadline = timeoutMs === undefined ? undefined : startedAt + timeoutMs;
    const context = createCallContext({ signal, deadline, revision, protocol: "grpc", requestId, ...sender }, logger);
    return { context, select: responseSelection(sender.headers, internalMethod.output) };
  } catch (error) {
    const line = { method: path.slice(1).replace("/", "."), protocol: "grpc", revision, requestId, startedAt } as const;
    throw logFailedRequest(logger, clock, line, error);
  }
}
