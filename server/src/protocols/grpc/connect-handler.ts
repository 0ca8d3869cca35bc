import type { IncomingMessage } from "node:http";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { createConnectRouter, createContextKey, createContextValues, type HandlerContext } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { type JsonValue, mapStream, yieldToEventLoop } from "#base";
import {
  type CallContext,
  createCallContext,
  logFailedRequest,
  logRequest,
  type RegisteredMethod,
  type Registry,
} from "#rpc";
import { Code, ConnectError, toGrpcStatusName } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { responseSelection } from "../fields/select-message.ts";
import { type Exchange, openExchange, type ResolvedDeps, resolveDeps, type Sender } from "../http/exchange.ts";
import { requestPath } from "../http/request-target.ts";
import { discardBody } from "../http/send-early.ts";
import { senderOf } from "../http/sender.ts";
import { UNBUFFERED } from "../http/unbuffered.ts";
import { createJsonDecoder } from "../json/decode-json.ts";
import { LONG_BODY } from "../json/parse-json.ts";
import { compressionDeflate } from "./compression-deflate.ts";
import { fitTrailers } from "./fit-trailers.ts";
import { rewriteGrpcMessage } from "./framing.ts";
import { isGrpcWebText, toBinaryRequest, toTextResponse } from "./grpc-web-text.ts";
import { heartbeatOf, withHeartbeats } from "./heartbeats.ts";
import { jsonOfValue } from "./json-of-value.ts";
import { checkedCompression, jsonCheck, type MessageLimits, protobufCheck, withCheckedBody } from "./limit-values.ts";
import { isBidiStream, serveBidiStream } from "./serve-bidi-stream.ts";
import { sendUnknownMethod } from "./unknown-method.ts";
import { withoutBody } from "./without-body.ts";

/** Smaller messages, in bytes, are not compressed: it would take longer than it saves. */
const COMPRESS_FROM = 8 * 1024;

/** An exchange whose message connect-es reads. */
interface ConnectExchange extends Exchange {
  /** Who calls, or why the caller is refused. */
  readonly sender: Sender | ConnectError;
  /** Whether the call reached the registry, which then has logged it. */
  invoked: boolean;
  /** Whether decoding its messages may have taken tens of milliseconds. */
  isLong: boolean;
}

const EXCHANGE = createContextKey<ConnectExchange | undefined>(undefined);

/**
 * The methods of a registry over gRPC, gRPC-Web and Connect. The messages of every revision are decoded and encoded as those of the
 * internal revision, which has the same names and field numbers, so no message is encoded twice.
 */
export function createConnectHandler(registry: Registry, deps: ProtocolDeps): HttpHandler {
  const resolved = resolveDeps(deps);
  const handlers = new Map<RegisteredMethod, Map<string, UniversalHandler>>();
  const decode = createJsonDecoder(registry.types, { strict: false });
  const handlerOf: HandlerOf = (method, request, limits) => {
    const known = handlers.get(method) ?? new Map<string, UniversalHandler>();
    handlers.set(method, known);
    const key = `${isJson(request) ? "json" : "protobuf"} ${limits.maxBytes}`;
    const reader: JsonReader | undefined = isJson(request)
      ? (json) => decode(method.internalMethod.input, json)
      : undefined;
    const handler = known.get(key) ?? createHandler(method, registry, resolved, limits, reader);
    known.set(key, handler);
    return handler;
  };
  return (request, response) => {
    const method = registry.find(requestPath(request));
    if (!method) return sendUnknownMethod(request, response);
    const exchange = openExchange(request, response, resolved);
    const served = isBidiStream(method, request)
      ? serveBidiStream(method, exchange, registry, resolved)
      : serve(method, handlerOf, exchange, resolved);
    served.catch((error: unknown) => {
      // The client disconnected, or the connection failed: nobody would get a response.
      resolved.logger.debug({ err: error, requestId: exchange.requestId }, "a response could not be sent");
      response.destroy();
    });
  };
}

/** The handler of a method for messages in the format of the request and within limits; there are those of known callers and of others. */
type HandlerOf = (method: RegisteredMethod, request: IncomingMessage, limits: MessageLimits) => UniversalHandler;

async function serve(
  method: RegisteredMethod,
  handlerOf: HandlerOf,
  opened: Exchange,
  deps: ResolvedDeps,
): Promise<void> {
  const { request, response } = opened;
  const sender = await senderOf(opened, deps).catch((error: unknown) => refused(method, opened, error, deps));
  // A refused call is logged already, and its message is not read.
  const exchange: ConnectExchange = {
    ...opened,
    sender,
    invoked: sender instanceof Error,
    isLong: isCompressed(request),
  };
  const values = createContextValues().set(EXCHANGE, exchange);
  if (sender instanceof Error) request.resume();
  const { maxBodyBytes } = sender instanceof Error ? deps.limits : deps.limitsOf(sender.caller);
  const limits = limitsOf(method, request, maxBodyBytes);
  const universal = await answer(
    handlerOf(method, request, limits),
    { ...universalRequestFromNodeRequest(request, response, undefined, values), body: bodyOf(request) },
    exchange,
    (received) =>
      sender instanceof Error ? withoutBody(received) : withCheckedBody(received, watched(limits, exchange)),
  );
  if (method.method.methodKind === "server_streaming")
    for (const [name, value] of Object.entries(UNBUFFERED)) universal.header?.set(name, value);
  const finish = (): void => {
    if (universal.trailer) rewriteGrpcMessage(universal.trailer);
    if (!exchange.invoked) logUndecoded(method, universal, exchange, deps);
  };
  // Refused by its Content-Length; over HTTP/2 the stream ends, and not the connection.
  if (universal.status === 413 && !exchange.invoked && request.httpVersionMajor === 1) await discardBody(request);
  if (request.httpVersionMajor === 1) response.once("finish", () => void dropRest(request));
  if (universal.body) {
    await universalResponseToNodeResponse({ ...universal, body: atEnd(universal.body, finish) }, response);
  } else {
    finish();
    await universalResponseToNodeResponse(universal, response);
  }
}

/** What is read of a body may end early; the request stays as it is, or its connection could not be used again. */
function bodyOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

/** gRPC-Web answers before the end of a message that it refuses; what stays unread would keep the next request of the connection waiting (WIRE-77). */
async function dropRest(request: IncomingMessage): Promise<void> {
  await discardBody(request);
  if (!request.readableEnded) request.destroy();
}

/** What connect-es answers, in the form and with the status that the client expects. */
async function answer(
  handler: UniversalHandler,
  request: UniversalServerRequest,
  exchange: ConnectExchange,
  checked: (request: UniversalServerRequest) => UniversalServerRequest,
): Promise<UniversalServerResponse> {
  if (isGrpcWebText(request)) return toTextResponse(await handler(checked(toBinaryRequest(request))));
  const response = await handler(checked(request));
  // The message is too large (WIRE-15). Connect clients read the code in the body; proxies and browsers the status, where 429 means "try again".
  return response.status === 429 && !exchange.invoked ? { ...response, status: 413 } : response;
}

/** The same bytes; `done` runs after the last of them and before the reader learns that it was the last. */
function atEnd(body: AsyncIterable<Uint8Array>, done: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      return {
        ...iterator,
        next: async () => {
          const result = await iterator.next();
          if (result.done) done();
          return result;
        },
        // Not a generator's own methods: a write error must reach the handler as it does without this wrapper.
        throw: (error: unknown) => iterator.throw?.(error) ?? Promise.reject(error),
        return: (value?: unknown) => iterator.return?.(value) ?? Promise.resolve({ done: true, value }),
      };
    },
  };
}

/** Logs a call whose message could not be decoded: it did not reach the registry, which logs the others. */
function logUndecoded(
  method: RegisteredMethod,
  { status, trailer }: UniversalServerResponse,
  exchange: Exchange,
  { logger, clock }: ResolvedDeps,
): void {
  const code = Number(trailer?.get("grpc-status") ?? Number.NaN);
  const fallback = status === 413 ? Code.ResourceExhausted : Code.InvalidArgument;
  logRequest(logger, clock, lineOf(method, exchange), toGrpcStatusName(code in Code ? code : fallback));
}

/** Logs a call whose caller is refused. */
function refused(
  method: RegisteredMethod,
  exchange: Exchange,
  error: unknown,
  { logger, clock }: ResolvedDeps,
): ConnectError {
  return logFailedRequest(logger, clock, lineOf(method, exchange), error);
}

/** The log line of a call that did not reach the registry. */
function lineOf({ path, revision }: RegisteredMethod, { requestId, startedAt }: Exchange) {
  return { method: path.slice(1).replace("/", "."), protocol: "grpc", revision, requestId, startedAt } as const;
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/(?:connect\+|grpc(?:-web)?\+)?json(?=;|$)/i.test(headers["content-type"] ?? "");
}

/** Bytes of a message in JSON at most: connect-es decodes it in one step, which must not keep other calls waiting (WIRE-15). */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

/** What a request's messages may be, in their format. */
function limitsOf({ internalMethod }: RegisteredMethod, request: IncomingMessage, maxBodyBytes: number): MessageLimits {
  return isJson(request)
    ? { check: jsonCheck(internalMethod.input), maxBytes: Math.min(maxBodyBytes, MAX_JSON_BYTES) }
    : { check: protobufCheck(internalMethod.input), maxBytes: maxBodyBytes };
}

/** Compressed messages may be many times longer; their compression checks them, which knows of no exchange. */
function isCompressed({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? headers["grpc-encoding"] ?? "identity") !== "identity";
}

/** The same limits; tells the exchange of a message that is long. */
function watched(limits: MessageLimits, exchange: ConnectExchange): MessageLimits {
  const check = (message: Uint8Array): void => {
    exchange.isLong ||= message.length > LONG_BODY;
    limits.check(message);
  };
  return { ...limits, check };
}

/** Reads a request message from JSON. */
type JsonReader = (json: JsonValue) => Message;

/** The deepest JSON that connect-es reads: objects in lists in objects, where a message is a level and its lists and maps are others. */
const MAX_JSON_DEPTH = 500;

/**
 * connect-es does not say in which format a message is that it decompresses, so each format has a handler of its own. It reads JSON as a
 * google.protobuf.Value, of which `reader` makes the message: JSON means the same over all protocols.
 */
function createHandler(
  method: RegisteredMethod,
  registry: Registry,
  deps: ResolvedDeps,
  { check, maxBytes }: MessageLimits,
  reader: JsonReader | undefined,
): UniversalHandler {
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli, compressionDeflate].map((compression) =>
      checkedCompression(compression, check),
    ),
    compressMinBytes: COMPRESS_FROM,
    readMaxBytes: maxBytes,
    jsonOptions: { registry: registry.types, ignoreUnknownFields: true, recursionLimit: MAX_JSON_DEPTH },
  });
  // connect-es types the function by its descriptor; `implementation` chooses the one for the kind of the method.
  router.rpc(withInternalMessages(method, reader), implementation(method, registry, deps, reader) as never);
  const [handler] = router.handlers;
  if (!handler) throw new Error(`connect-es created no handler for ${method.path}`);
  return handler;
}

/** The method under its own name, with the messages of the internal revision, or of JSON for a reader. */
function withInternalMessages(
  { method, internalMethod }: RegisteredMethod,
  reader: JsonReader | undefined,
): DescMethod {
  return { ...method, input: reader ? ValueSchema : internalMethod.input, output: internalMethod.output } as DescMethod;
}

function implementation(
  method: RegisteredMethod,
  registry: Registry,
  deps: ResolvedDeps,
  reader: JsonReader | undefined,
) {
  const read = (received: Message): Message => (reader ? reader(jsonOfValue(received as Value)) : received);
  if (method.method.methodKind === "unary") {
    return async (received: Message, context: HandlerContext) => {
      try {
        const isLong = context.values.get(EXCHANGE)?.isLong;
        if (isLong) await yieldToEventLoop();
        const request = reader && isLong ? await readLong(received as Value, reader) : read(received);
        const select = selectionOf(method, context);
        const call = callContext(method, context, deps);
        if (isLong) await yieldToEventLoop();
        const answer = await registry.unary(method, request, call);
        return select ? select(answer) : answer;
      } catch (error) {
        throw fitProtocol(error, context);
      }
    };
  }
  const heartbeat = heartbeatOf(method);
  return async function* (received: Message | AsyncIterable<Message>, context: HandlerContext) {
    try {
      const request = Symbol.asyncIterator in received ? mapStream(received, read) : read(received);
      const select = selectionOf(method, context);
      const answers = registry.stream(method, request, callContext(method, context, deps));
      const stream = select ? mapStream(answers, select) : answers;
      yield* heartbeat ? withHeartbeats(stream, heartbeat, deps.heartbeatMs) : stream;
    } catch (error) {
      throw fitProtocol(error, context);
    }
  };
}

/** What the caller selects of the responses; undefined: all. */
function selectionOf({ internalMethod }: RegisteredMethod, { values }: HandlerContext) {
  const sender = values.get(EXCHANGE)?.sender;
  return sender && !(sender instanceof Error) ? responseSelection(sender.headers, internalMethod.output) : undefined;
}

/** Other calls run between the steps. */
async function readLong(received: Value, reader: JsonReader): Promise<Message> {
  const json = jsonOfValue(received);
  await yieldToEventLoop();
  return reader(json);
}

/** Connect has errors in bodies, which may be long. */
function fitProtocol(error: unknown, { protocolName }: HandlerContext): unknown {
  return error instanceof ConnectError && protocolName !== "connect" ? fitTrailers(error) : error;
}

function callContext(
  { revision }: RegisteredMethod,
  context: HandlerContext,
  { clock, logger }: ResolvedDeps,
): CallContext {
  const exchange = context.values.get(EXCHANGE);
  if (!exchange) throw new Error("a call of connect-es has no exchange");
  const { sender } = exchange;
  if (sender instanceof Error) throw sender;
  exchange.invoked = true;
  const timeoutMs = context.timeoutMs();
  return createCallContext(
    {
      signal: AbortSignal.any([context.signal, exchange.signal]),
      deadline: timeoutMs === undefined ? undefined : clock.now() + timeoutMs,
      revision,
      protocol: context.protocolName as "grpc" | "grpc-web" | "connect",
      requestId: exchange.requestId,
      ...sender,
    },
    logger,
  );
}
