import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  BidiSessionClientMessageSchema,
  BidiSessionServerMessageSchema,
  RunSessionRequestSchema,
  type RunSessionResponse,
  RunSessionResponseSchema,
  SessionService,
} from "@frontdesk/protos/ces/session_service";
import { WS_PATH } from "../live/web-socket-client.ts";
import { type Output, type ReceivedTurn, receivedTurn, type TurnError } from "./received-turn.ts";
import type { TurnSurface } from "./requirements/requirement.ts";

/** How a turn is sent, where that is the test's subject. */
interface Way {
  /** A bearer token. */
  readonly token?: string;
  /** Of the path, where there is one. Default v1beta, and v1 for WebSockets. */
  readonly revision?: "v1" | "v1beta";
  /** Of a WebSocket's path. Default us. */
  readonly location?: string;
}

/** One turn over a wire: the config and the inputs in their JSON. */
type SendTurn = (
  address: string,
  config: { readonly session: string },
  inputs: readonly object[],
  way?: Way,
) => Promise<ReceivedTurn>;

/** Runs one turn over a wire and answers what the client received, errors included. */
export const TURN_WIRES: Readonly<Record<TurnSurface, SendTurn>> = {
  rest: (address, config, inputs, way) => overRest(address, "runSession", config, inputs, way),
  "rest-stream": (address, config, inputs, way) => overRest(address, "streamRunSession", config, inputs, way),
  grpc: (address, config, inputs, way) => overGrpc(address, "runSession", config, inputs, way),
  "grpc-stream": (address, config, inputs, way) => overGrpc(address, "streamRunSession", config, inputs, way),
  "grpc-bidi": overGrpcBidi,
  websocket: overWebSocket,
};

interface RestAnswer {
  readonly outputs?: readonly Output[];
  readonly error?: { readonly status: string; readonly message: string };
}

async function overRest(
  address: string,
  method: string,
  config: { readonly session: string },
  inputs: readonly object[],
  { revision = "v1beta", token }: Way = {},
): Promise<ReceivedTurn> {
  const response = await fetch(`${address}/${revision}/${config.session}:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer(token) },
    body: JSON.stringify({ config, inputs }),
  });
  const json = (await response.json()) as RestAnswer | readonly RestAnswer[];
  const answers = Array.isArray(json) ? (json as readonly RestAnswer[]) : [json as RestAnswer];
  const status = answers.find((answer) => answer.error)?.error;
  const error = status && { code: status.status, message: status.message };
  return receivedTurn(
    answers.flatMap(({ outputs = [] }) => outputs),
    error,
  );
}

async function overGrpc(
  address: string,
  method: "runSession" | "streamRunSession",
  config: object,
  inputs: readonly object[],
  { token }: Way = {},
): Promise<ReceivedTurn> {
  const client = createClient(SessionService, createGrpcTransport({ baseUrl: address }));
  const options = { headers: bearer(token) };
  const request = fromJson(RunSessionRequestSchema, { config, inputs } as unknown as JsonValue);
  const outputs: Output[] = [];
  const receive = (response: RunSessionResponse) => {
    const { outputs: more = [] } = toJson(RunSessionResponseSchema, response) as { outputs?: readonly Output[] };
    outputs.push(...more);
  };
  try {
    if (method === "runSession") receive(await client.runSession(request, options));
    else for await (const response of client.streamRunSession(request, options)) receive(response);
    return receivedTurn(outputs, undefined);
  } catch (error) {
    return receivedTurn(outputs, errorOf(error));
  }
}

/** A stream of its own for each turn, which is how sessions go on over new connections. */
async function overGrpcBidi(
  address: string,
  config: object,
  inputs: readonly object[],
  { token }: Way = {},
): Promise<ReceivedTurn> {
  const client = createClient(SessionService, createGrpcTransport({ baseUrl: address }));
  const over = Promise.withResolvers<void>();
  const messages = async function* () {
    for (const json of [{ config }, ...inputs.map((realtimeInput) => ({ realtimeInput }))])
      yield fromJson(BidiSessionClientMessageSchema, json as unknown as JsonValue);
    await over.promise;
  };
  const outputs: Output[] = [];
  try {
    for await (const message of client.bidiRunSession(messages(), { headers: bearer(token) })) {
      const { sessionOutput } = toJson(BidiSessionServerMessageSchema, message) as { sessionOutput?: Output };
      if (sessionOutput) outputs.push(sessionOutput);
      if (sessionOutput?.turnCompleted) break;
    }
    return receivedTurn(outputs, undefined);
  } catch (error) {
    return receivedTurn(outputs, errorOf(error));
  } finally {
    over.resolve();
  }
}

async function overWebSocket(
  address: string,
  config: object,
  inputs: readonly object[],
  { revision = "v1", location = "us", token }: Way = {},
): Promise<ReceivedTurn> {
  const path = WS_PATH.replace(".v1.", `.${revision}.`).replace(/us$/, location);
  const query = token ? `?access_token=${token}` : "";
  const socket = new WebSocket(`${address.replace(/^http/, "ws")}${path}${query}`);
  const outputs: Output[] = [];
  const error = await new Promise<TurnError | undefined>((resolve) => {
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ config }));
      for (const realtimeInput of inputs) socket.send(JSON.stringify({ realtimeInput }));
    });
    const receive = ({ data }: MessageEvent) => {
      const { sessionOutput } = JSON.parse(String(data)) as { sessionOutput?: Output };
      if (sessionOutput) outputs.push(sessionOutput);
      if (!sessionOutput?.turnCompleted) return;
      // What comes now is of another turn.
      socket.removeEventListener("message", receive);
      resolve(undefined);
    };
    socket.addEventListener("message", receive);
    socket.addEventListener("close", ({ reason }) => resolve(errorIn(reason)));
  });
  socket.close();
  return receivedTurn(outputs, error);
}

function bearer(token: string | undefined): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}

function errorOf(error: unknown): TurnError {
  const { code, rawMessage } = ConnectError.from(error);
  const name = (Code[code] ?? "").replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  return { code: name, message: rawMessage };
}

/** `generic::not_found: …` of a close frame. */
function errorIn(reason: string): TurnError {
  const [, code = "", message = ""] = /generic::(\w+): (.*)/s.exec(reason) ?? [];
  return { code: code.toUpperCase(), message };
}
