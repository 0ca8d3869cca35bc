import type { IncomingMessage } from "node:http";
import type { Message } from "@bufbuild/protobuf";
import { type WebSocket, WebSocketServer } from "ws";
import { mapStream } from "#base";
import { createCallContext, createMessageJson, type RegisteredMethod, type Registry } from "#rpc";
import { invalidArgument, toStatusError } from "#status";
import type { ProtocolDeps, UpgradeHandler } from "../contract.ts";
import { headerMap, shortId, type WholeDeps, wholeDeps } from "../http/exchange.ts";
import { createJsonDecoder, type JsonDecoder } from "../json/decode-json.ts";
import { parseJson } from "../json/parse-json.ts";
import { closeFrameOf } from "./close-frame.ts";
import { openInbox } from "./inbox.ts";
import { keepAlive } from "./keep-alive.ts";
import { refuseHandshake } from "./refuse-handshake.ts";
import { send } from "./send.ts";

export interface WebSocketDeps extends ProtocolDeps {
  /** Milliseconds between pings. Default 30,000: below the idle time-outs of the usual proxies. */
  readonly pingMs?: number;
}

/** `/ws/{package.Service}/{Method}/locations/{location}`. Every location is here, so the last part is not looked at. */
const PATH = /^\/ws\/(?<service>[\w.]+)\/(?<method>\w+)(?:\/locations\/[^/?]+)?\/?(?:\?|$)/;

/**
 * The bidirectional methods of a registry over WebSocket (WIRE-9): one JSON message a frame, text or binary, either
 * spelling of names in, camelCase out. The client's Close is its half-close; the server's carries the refusal.
 */
export function createWebSocketHandler(registry: Registry, deps: WebSocketDeps): UpgradeHandler {
  const whole = wholeDeps(deps);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Its buffers would cost each connection more than the conversation does.
    perMessageDeflate: false,
    maxPayload: whole.limits.maxBodyBytes,
  });
  const wire: Wire = {
    registry,
    whole,
    pingMs: deps.pingMs ?? 30_000,
    decode: createJsonDecoder(registry.types, { strict: false }),
    render: createMessageJson(registry.types),
  };
  return (request, connection, head) => {
    const method = methodAt(request, registry);
    if (!method) return refuseHandshake(connection, `There is no method for WebSocket at ${request.url}.`);
    server.handleUpgrade(request, connection, head, (socket) => {
      const stopPings = keepAlive(socket, connection, wire.pingMs);
      socket.once("close", stopPings);
      void serve(socket, method, headersOf(request), wire);
    });
  };
}

/** Pages cannot set headers on a WebSocket: Google's `access_token` parameter stands for the bearer token. */
function headersOf(request: IncomingMessage): ReadonlyMap<string, string> {
  const headers = headerMap(request);
  const { url = "" } = request;
  const token = url.includes("?") ? new URLSearchParams(url.slice(url.indexOf("?"))).get("access_token") : null;
  return token === null || headers.has("authorization")
    ? headers
    : new Map([...headers, ["authorization", `Bearer ${token}`]]);
}

interface Wire {
  readonly registry: Registry;
  readonly whole: WholeDeps;
  readonly pingMs: number;
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
  headers: ReadonlyMap<string, string>,
  { registry, whole, decode, render }: Wire,
): Promise<void> {
  const { logger, ids } = whole;
  const requestId = shortId(ids);
  const signal = goneSignal(socket);
  const { revision } = method;
  const context = createCallContext({ signal, revision, protocol: "websocket", headers, requestId }, logger);
  socket.on("error", (error) => logger.debug({ err: error, requestId }, "a WebSocket broke"));
  try {
    const requests = mapStream(openInbox(socket), (frame) => decodeFrame(frame, method, decode));
    for await (const response of registry.stream(method, requests, context))
      await send(socket, JSON.stringify(render(method.internalMethod.output, response)));
    close(socket, 1000, "");
  } catch (error) {
    const { code, reason } = closeFrameOf(toStatusError(error));
    close(socket, code, reason);
  }
}

/** Fires when the connection ends without a close frame: nobody said goodbye. */
function goneSignal(socket: WebSocket): AbortSignal {
  const controller = new AbortController();
  socket.once("close", (code) => {
    if (code === NO_CLOSE_FRAME) controller.abort();
  });
  return controller.signal;
}

/** The code that stands for a close frame that never came (RFC 6455, 7.4.1). */
const NO_CLOSE_FRAME = 1006;

function decodeFrame(frame: Buffer, method: RegisteredMethod, decode: JsonDecoder): Message {
  const parsed = parseJson(frame);
  if (!parsed.ok) throw invalidArgument({ field: "", description: `Invalid JSON payload received. ${parsed.reason}` });
  return decode(method.internalMethod.input, parsed.value);
}

function close(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  // The client's close frame may stand behind messages that were held back.
  socket.resume();
}
