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
import { type HeardTurn, heardTurn, type Output, type Refusal } from "./heard-turn.ts";
import type { TurnSurface } from "./requirements/requirement.ts";

/** One turn over a wire: the config and the inputs in their JSON. */
type SendTurn = (
  address: string,
  config: { readonly session: string },
  inputs: readonly object[],
) => Promise<HeardTurn>;

/** Runs one turn over a wire and answers what the client heard; a refusal is part of that. */
export const TURN_WIRES: Readonly<Record<TurnSurface, SendTurn>> = {
  rest: (address, config, inputs) => overRest(address, "runSession", config, inputs),
  "rest-stream": (address, config, inputs) => overRest(address, "streamRunSession", config, inputs),
  grpc: (address, config, inputs) => overGrpc(address, "runSession", config, inputs),
  "grpc-stream": (address, config, inputs) => overGrpc(address, "streamRunSession", config, inputs),
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
): Promise<HeardTurn> {
  const response = await fetch(`${address}/v1beta/${config.session}:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config, inputs }),
  });
  const json = (await response.json()) as RestAnswer | readonly RestAnswer[];
  const answers = Array.isArray(json) ? (json as readonly RestAnswer[]) : [json as RestAnswer];
  const error = answers.find((answer) => answer.error)?.error;
  const refused = error && { code: error.status, message: error.message };
  return heardTurn(
    answers.flatMap(({ outputs = [] }) => outputs),
    refused,
  );
}

async function overGrpc(
  address: string,
  method: "runSession" | "streamRunSession",
  config: object,
  inputs: readonly object[],
): Promise<HeardTurn> {
  const client = createClient(SessionService, createGrpcTransport({ baseUrl: address }));
  const request = fromJson(RunSessionRequestSchema, { config, inputs } as unknown as JsonValue);
  const outputs: Output[] = [];
  const hear = (response: RunSessionResponse) => {
    const { outputs: more = [] } = toJson(RunSessionResponseSchema, response) as { outputs?: readonly Output[] };
    outputs.push(...more);
  };
  try {
    if (method === "runSession") hear(await client.runSession(request));
    else for await (const response of client.streamRunSession(request)) hear(response);
    return heardTurn(outputs, undefined);
  } catch (error) {
    return heardTurn(outputs, refusalOf(error));
  }
}

/** A stream of its own for each turn, which is how sessions go on over new connections. */
async function overGrpcBidi(address: string, config: object, inputs: readonly object[]): Promise<HeardTurn> {
  const client = createClient(SessionService, createGrpcTransport({ baseUrl: address }));
  const over = Promise.withResolvers<void>();
  const messages = async function* () {
    for (const json of [{ config }, ...inputs.map((realtimeInput) => ({ realtimeInput }))])
      yield fromJson(BidiSessionClientMessageSchema, json as unknown as JsonValue);
    await over.promise;
  };
  const outputs: Output[] = [];
  try {
    for await (const message of client.bidiRunSession(messages())) {
      const { sessionOutput } = toJson(BidiSessionServerMessageSchema, message) as { sessionOutput?: Output };
      if (sessionOutput) outputs.push(sessionOutput);
      if (sessionOutput?.turnCompleted) break;
    }
    return heardTurn(outputs, undefined);
  } catch (error) {
    return heardTurn(outputs, refusalOf(error));
  } finally {
    over.resolve();
  }
}

async function overWebSocket(address: string, config: object, inputs: readonly object[]): Promise<HeardTurn> {
  const socket = new WebSocket(`${address.replace(/^http/, "ws")}${WS_PATH}`);
  const outputs: Output[] = [];
  const refused = await new Promise<Refusal | undefined>((resolve) => {
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ config }));
      for (const realtimeInput of inputs) socket.send(JSON.stringify({ realtimeInput }));
    });
    socket.addEventListener("message", ({ data }) => {
      const { sessionOutput } = JSON.parse(String(data)) as { sessionOutput?: Output };
      if (sessionOutput) outputs.push(sessionOutput);
      if (sessionOutput?.turnCompleted) resolve(undefined);
    });
    socket.addEventListener("close", ({ reason }) => resolve(refusalIn(reason)));
  });
  socket.close();
  return heardTurn(outputs, refused);
}

function refusalOf(error: unknown): Refusal {
  const { code, rawMessage } = ConnectError.from(error);
  const name = (Code[code] ?? "").replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  return { code: name, message: rawMessage };
}

/** `generic::not_found: …` of a close frame. */
function refusalIn(reason: string): Refusal {
  const [, code = "", message = ""] = /generic::(\w+): (.*)/s.exec(reason) ?? [];
  return { code: code.toUpperCase(), message };
}
