import type { IncomingMessage } from "node:http";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { createConnectRouter, createContextKey, createContextValues, type HandlerContext } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { type CallContext, createCallContext, logRequest, type RegisteredMethod, type Registry } from "#rpc";
import { Code, toGrpcStatusName } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { type Exchange, openExchange, type WholeDeps, wholeDeps } from "../http/exchange.ts";
import { atEnd } from "./at-end.ts";
import { rewriteGrpcMessage } from "./grpc-message.ts";
import { isConversation, serveConversation } from "./serve-conversation.ts";
import { refuseUnknownPath } from "./unknown-path.ts";

/** Messages smaller than this many bytes are sent as they are: compressing them costs more than it saves. */
const COMPRESS_FROM = 8 * 1024;

/** What is known of a request before its first message was read. */
interface Arrival extends Exchange {
  /** Whether the call reached the registry, which then has logged it. */
  invoked: boolean;
}

const ARRIVAL = createContextKey<Arrival | undefined>(undefined);

/**
 * The methods of a registry over gRPC, gRPC-Web and Connect. Every revision is read and written with the inside
 * revision's messages, which share names and numbers with the others, so no message is encoded twice.
 */
export function createConnectHandler(registry: Registry, deps: ProtocolDeps): HttpHandler {
  const whole = wholeDeps(deps);
  const handlers = new Map<RegisteredMethod, UniversalHandler>();
  const handlerOf = (method: RegisteredMethod): UniversalHandler => {
    const handler = handlers.get(method) ?? createHandler(method, registry, whole);
    handlers.set(method, handler);
    return handler;
  };
  return (request, response) => {
    const method = registry.find(pathOf(request));
    if (!method) return refuseUnknownPath(request, response);
    const exchange = openExchange(request, response, whole);
    const served = isConversation(method, request)
      ? serveConversation(method, exchange, registry, whole)
      : serve(method, handlerOf(method), Object.assign(exchange, { invoked: false }), whole);
    served.catch((error: unknown) => {
      // The client is gone, or the exchange broke below the protocol: nobody is left to answer.
      whole.logger.debug({ err: error, requestId: exchange.requestId }, "an answer could not be sent");
      response.destroy();
    });
  };
}

async function serve(
  method: RegisteredMethod,
  handler: UniversalHandler,
  arrival: Arrival,
  deps: WholeDeps,
): Promise<void> {
  const { request, response } = arrival;
  const values = createContextValues().set(ARRIVAL, arrival);
  const answer = await handler(universalRequestFromNodeRequest(request, response, undefined, values));
  const finish = (): void => {
    if (answer.trailer) rewriteGrpcMessage(answer.trailer);
    if (!arrival.invoked) logUnread(method, answer, arrival, deps);
  };
  if (answer.body) await universalResponseToNodeResponse({ ...answer, body: atEnd(answer.body, finish) }, response);
  else {
    finish();
    await universalResponseToNodeResponse(answer, response);
  }
}

/** A request whose message could not be read never reached the registry, but it is a request. */
function logUnread(
  method: RegisteredMethod,
  { status, trailer }: UniversalServerResponse,
  arrival: Arrival,
  { logger, clock }: WholeDeps,
): void {
  const { requestId, startedAt } = arrival;
  const code = Number(trailer?.get("grpc-status") ?? Number.NaN);
  const fallback = status === 429 ? Code.ResourceExhausted : Code.InvalidArgument;
  const line = {
    method: method.path.slice(1).replace("/", "."),
    protocol: "grpc",
    revision: method.revision,
    requestId,
    startedAt,
  } as const;
  logRequest(logger, clock, line, toGrpcStatusName(code in Code ? code : fallback));
}

function createHandler(method: RegisteredMethod, registry: Registry, deps: WholeDeps): UniversalHandler {
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    compressMinBytes: COMPRESS_FROM,
    readMaxBytes: deps.limits.maxBodyBytes,
    jsonOptions: { registry: registry.types, ignoreUnknownFields: true },
  });
  // The library types a function by its descriptor; here the kind of the method decides which of the two it is.
  router.rpc(throughInside(method), implementation(method, registry, deps) as never);
  const [handler] = router.handlers;
  if (!handler) throw new Error(`no handler was made for ${method.path}`);
  return handler;
}

/** The method under its own name, with the messages of the inside revision. */
function throughInside({ method, internalMethod }: RegisteredMethod): DescMethod {
  return { ...method, input: internalMethod.input, output: internalMethod.output } as DescMethod;
}

function implementation(method: RegisteredMethod, registry: Registry, deps: WholeDeps) {
  if (method.method.methodKind === "unary") {
    return (request: Message, context: HandlerContext) =>
      registry.unary(method, request, callContext(method, context, deps));
  }
  return (request: Message | AsyncIterable<Message>, context: HandlerContext) =>
    registry.stream(method, request, callContext(method, context, deps));
}

function callContext(
  { revision }: RegisteredMethod,
  context: HandlerContext,
  { clock, logger }: WholeDeps,
): CallContext {
  const arrival = context.values.get(ARRIVAL);
  if (arrival) arrival.invoked = true;
  const left = context.timeoutMs();
  return createCallContext(
    {
      signal: context.signal,
      ...(left !== undefined && { deadline: clock.now() + left }),
      revision,
      protocol: context.protocolName as "grpc" | "grpc-web" | "connect",
      headers: new Map(context.requestHeader),
      requestId: arrival?.requestId ?? "",
    },
    logger,
  );
}

function pathOf({ url = "" }: IncomingMessage): string {
  const mark = url.indexOf("?");
  return mark < 0 ? url : url.slice(0, mark);
}
