import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Message } from "@bufbuild/protobuf";
import { type WebSocket, WebSocketServer } from "ws";
import { mapStream } from "#base";
import { createCallContext, createMessageJson, type RegisteredMethod, type Registry } from "#rpc";
import { invalidArgument, toStatusError } from "#status";
import type { ProtocolDeps, UpgradeHandler } from "../contract.ts";
import { messageTooLarge } from "../grpc/framing.ts";
import { type ResolvedDeps, resolveDeps, shortId } from "../http/exchange.ts";
import { requestPath } from "../http/request-target.ts";
import { headersWithParameters, senderOf } from "../http/sender.ts";
import { createJsonDecoder, type JsonDecoder } from "../json/decode-json.ts";
import { parseJson } from "../json/parse-json.ts";
import { closeFrameFor } from "./close-frame.ts";
import { keepAlive } from "./keep-alive.ts";
import { receivedMessages, send } from "./socket-messages.ts";

/** `/ws/{package.Service}/{Method}/locations/{location}`. This server is every location, so the last part is ignored (WIRE-1). */
const PATH = /^\/ws\/(?<service>[\w.]+)\/(?<method>\w+)(?:\/locations\/[^/?]+)?\/?(?:\?|$)/;

/**
 * The bidirectional methods of a registry over WebSocket (WIRE-9): one JSON message per frame, text or binary. Requests may use
 * either spelling of field names; responses have camelCase. The client's Close is its half-close; the server's Close has the status.
 */
export function createWebSocketHandler(registry: Registry, deps: ProtocolDeps): UpgradeHandler {
  const resolved = resolveDeps(deps);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Its buffers would take more memory per connection than the conversation does.
    perMessageDeflate: false,
    maxPayload: resolved.limits.maxBodyBytes,
  });
  const codec: Codec = {
    decode: createJsonDecoder(registry.types, { strict: false }),
    render: createMessageJson(registry.types),
  };
  return (request, connection, head) => {
    const method = methodAt(request, registry);
    if (!method) return rejectHandshake(connection, `There is no WebSocket method at ${requestPath(request)}.`);
    server.handleUpgrade(request, connection, head, (socket) => {
      const stopPings = keepAlive(socket, connection, resolved.heartbeatMs);
      socket.once("close", stopPings);
      void serve(socket, method, request, registry, resolved, codec);
    });
  };
}

/**
 * Browsers cannot set headers on a WebSocket, so the address may: parameters that stand for a header everywhere, and those named
 * `x-frontdesk-…`, which are headers of that name. A header that was sent wins.
 */
function headersOf(request: IncomingMessage): ReadonlyMap<string, string> {
  const headers = headersWithParameters(request);
  const { url = "" } = request;
  if (!url.includes("x-frontdesk-")) return headers;
  const given = [...new URLSearchParams(url.slice(url.indexOf("?")))].filter(([name]) =>
    name.startsWith("x-frontdesk-"),
  );
  return new Map([...given, ...headers]);
}

/** JSON to messages and back. */
interface Codec {
  readonly decode: JsonDecoder;
  readonly render: ReturnType<typeof createMessageJson>;
}

function methodAt({ url = "" }: IncomingMessage, registry: Registry): RegisteredMethod | undefined {
  const { service, method } = PATH.exec(url)?.groups ?? {};
  const found = registry.find(`/${service}/${method}`);
  return found?.method.methodKind === "bidi_streaming" ? found : undefined;
}

/** One call from the handshake to the close frame. Never rejects. */
async function serve(
  socket: WebSocket,
  method: RegisteredMethod,
  request: IncomingMessage,
  registry: Registry,
  deps: ResolvedDeps,
  { decode, render }: Codec,
): Promise<void> {
  const { logger } = deps;
  const requestId = shortId(deps.ids);
  const signal = disconnectSignal(socket);
  const { revision } = method;
  socket.on("error", (error) => logger.debug({ err: error, requestId }, "a WebSocket failed"));
  try {
    const frames = receivedMessages(socket);
    const sender = await senderOf({ request, signal }, deps, { headers: headersOf(request), isSafe: false });
    const context = createCallContext({ signal, revision, protocol: "websocket", requestId, ...sender }, logger);
    const { maxBodyBytes, bytesWithCredential } = deps.limitsOf(sender.caller);
    const requests = mapStream(frames, (frame) => {
      if (frame.length > maxBodyBytes) throw messageTooLarge(frame.length, maxBodyBytes, bytesWithCredential);
      return decodeFrame(frame, method, decode);
    });
    for await (const response of registry.stream(method, requests, context))
      await send(socket, JSON.stringify(render(method.internalMethod.output, response)));
    close(socket, 1000, "");
  } catch (error) {
    const { code, reason } = closeFrameFor(toStatusError(error));
    close(socket, code, reason);
  }
}

/** Aborted when the connection ends without a close frame, or because the client's page went away (WIRE-51). */
function disconnectSignal(socket: WebSocket): AbortSignal {
  const controller = new AbortController();
  socket.once("close", (code) => {
    if (code === NO_CLOSE_FRAME || code === GOING_AWAY) controller.abort();
  });
  return controller.signal;
}

/** Codes of connections that ended without a close frame, and of those whose page was left (RFC 6455, 7.4.1). */
const NO_CLOSE_FRAME = 1006;
const GOING_AWAY = 1001;

function decodeFrame(frame: Buffer, method: RegisteredMethod, decode: JsonDecoder): Message {
  const parsed = parseJson(frame);
  if (!parsed.ok) throw invalidArgument({ field: "", description: `Invalid JSON payload received. ${parsed.reason}` });
  return decode(method.internalMethod.input, parsed.value);
}

function close(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  // The client's close frame may follow messages that were not read while the socket was paused.
  socket.resume();
}

/** Responds to a handshake with 404 and ends the connection. */
function rejectHandshake(connection: Duplex, message: string): void {
  const body = JSON.stringify({ error: { code: 404, message, status: "NOT_FOUND" } });
  const head = [
    "HTTP/1.1 404 Not Found",
    "content-type: application/json; charset=UTF-8",
    "connection: close",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  connection.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
