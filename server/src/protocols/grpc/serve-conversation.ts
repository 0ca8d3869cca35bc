import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate, type ZlibOptions } from "node:zlib";
import { fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { createCallContext, logRefusal, type RegisteredMethod, type Registry } from "#rpc";
import { Code, ConnectError, cancelled, invalidArgument, resourceExhausted, toStatusError } from "#status";
import { type Exchange, headerMap, type WholeDeps } from "../http/exchange.ts";
import { Inbox } from "../http/inbox.ts";
import { write } from "../http/send.ts";
import { rewriteGrpcMessage } from "./grpc-message.ts";
import { type GrpcFrame, MessageReader } from "./message-reader.ts";

/** How clients may pack their messages. Ours are not packed. */
const ENCODINGS = "identity,gzip,deflate";

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
  const trailer = new Headers();
  try {
    const context = contextOf(method, exchange, deps);
    const requests = decodeEach(openInbox(request, deps.limits.maxBodyBytes), method, request, deps);
    for await (const message of registry.stream(method, requests, context))
      await write(response, frameOf(toBinary(method.inside.output, message)));
    setTrailerStatus(trailer, undefined);
  } catch (error) {
    setTrailerStatus(trailer, toStatusError(error));
  }
  rewriteGrpcMessage(trailer);
  response.addTrailers(Object.fromEntries(trailer));
  response.end();
  request.resume();
}

function contextOf({ revision, path }: RegisteredMethod, exchange: Exchange, { clock, logger }: WholeDeps) {
  const { request, requestId, signal, startedAt } = exchange;
  const headers = headerMap(request);
  const { timeoutMs, error } = parseTimeout(headers.get("grpc-timeout") ?? null, Number.POSITIVE_INFINITY);
  if (error) {
    const line = { method: path.slice(1).replace("/", "."), protocol: "grpc", revision, requestId, startedAt } as const;
    throw logRefusal(logger, clock, line, error);
  }
  const deadline = timeoutMs !== undefined && { deadline: startedAt + timeoutMs };
  return createCallContext({ signal, ...deadline, revision, protocol: "grpc", headers, requestId }, logger);
}

/** The messages of a request, as they come. */
function openInbox(request: IncomingMessage, maxBytes: number): Inbox<GrpcFrame> {
  const inbox = new Inbox<GrpcFrame>(request);
  const reader = new MessageReader(maxBytes);
  request.on("data", (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) inbox.push(frame, frame.payload.length);
    } catch (error) {
      inbox.fail(error);
    }
  });
  request.once("end", () => (reader.isInside ? inbox.fail(cutOff()) : inbox.end()));
  request.once("close", () => inbox.fail(cancelled("The client went away or cancelled the call.")));
  return inbox;
}

function cutOff(): ConnectError {
  return invalidArgument({ field: "", description: "the request ended in the middle of a message" });
}

async function* decodeEach(
  frames: AsyncIterable<GrpcFrame>,
  { inside }: RegisteredMethod,
  request: IncomingMessage,
  { limits }: WholeDeps,
): AsyncGenerator<Message, void> {
  const encoding = String(request.headers["grpc-encoding"] ?? "identity");
  for await (const { compressed, payload } of frames) {
    const bytes = compressed ? await unpack(payload, encoding, limits.maxBodyBytes) : payload;
    yield decode(() => fromBinary(inside.input, bytes));
  }
}

function decode(read: () => Message): Message {
  try {
    return read();
  } catch (error) {
    const reason = (error as Error).message;
    throw invalidArgument({ field: "", description: `The message cannot be read as protobuf: ${reason}` });
  }
}

const UNPACK = new Map([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["deflate", promisify<Buffer, ZlibOptions, Buffer>(inflate)],
]);

async function unpack(payload: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decompress = UNPACK.get(encoding);
  if (!decompress)
    throw new ConnectError(`Messages packed as '${encoding}' are not supported; use ${ENCODINGS}.`, Code.Unimplemented);
  try {
    return await decompress(payload, { maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw resourceExhausted(`The message is larger than the limit of ${maxOutputLength} bytes.`);
    throw invalidArgument({ field: "", description: `The message is not valid ${encoding} data.` });
  }
}

/** Five bytes before each message: not packed, and its length. */
function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(5 + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}
