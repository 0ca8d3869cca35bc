import type { JsonObject, JsonValue } from "#base";
import { INSIDE, logRequest, type Registry } from "#rpc";
import { Code, ConnectError, toErrorBody } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, openExchange, wholeDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendRefusal } from "../http/send-refusal.ts";
import { parseJson } from "../json/parse-json.ts";
import { eraOf } from "./envelope.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { type Door, doorOf, type Refusal, refusalOf, statusOf, wantsEvents } from "./http-door.ts";
import {
  errorMessage,
  JsonRpcCode,
  JsonRpcError,
  type JsonRpcMessage,
  readMessage,
  resultMessage,
} from "./json-rpc.ts";
import { createMcpMethods, type McpMethods } from "./mcp-methods.ts";
import { progressOf } from "./progress.ts";
import { challenge, isMetadataPath, metadataOf, type OAuthFacts } from "./protected-resource.ts";
import type { Additions } from "./providers.ts";
import type { Era } from "./revisions.ts";
import { ANALYTICS, CES, type Surface } from "./surface.ts";
import type { View } from "./view.ts";

/** Most messages in one batch. */
const MAX_BATCH = 50;

export interface McpDeps extends ProtocolDeps {
  /** Product version that clients are told. Default "0.0.0". */
  readonly version?: string;
  /** Tells clients who issues tokens. Default nobody: there is nothing to sign in to. */
  readonly oauth?: OAuthFacts;
  /** Calls change nothing, whatever the address says. Default false. */
  readonly dryRun?: boolean;
  /** Tools, resources and prompts beside the registered methods, at `/mcp`. Default none. */
  readonly additions?: Additions;
}

/** One endpoint and what it answers with. */
interface Endpoint {
  readonly surface: Surface;
  readonly methods: McpMethods;
}

/** A message's answer, with the HTTP status that it has when it stands alone. */
interface Answered {
  readonly text: string;
  readonly httpStatus: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * MCP over Streamable HTTP without sessions, for clients of every revision since 2025-03-26: each POST is answered by itself, with
 * plain JSON, or as events where the client wants to be told of progress. A bare `tools/call` without handshake, version or Accept
 * header is as good as one after `initialize`.
 */
export function createMcpHandler(registry: Registry, deps: McpDeps): HttpHandler {
  const whole = wholeDeps(deps);
  const version = deps.version ?? "0.0.0";
  const endpoints: readonly Endpoint[] = [
    { surface: CES, methods: createMcpMethods(registry, CES, version, deps.additions) },
    { surface: ANALYTICS, methods: createMcpMethods(registry, ANALYTICS, version) },
  ];

  const serve = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const door = doorOf(request, deps.dryRun ?? false);
    if (deps.oauth && isMetadataPath(door.path))
      return sendJson(request, response, 200, metadataOf(door.path, request, deps.oauth));
    const endpoint = endpoints.find(({ surface }) => surface.path === door.path);
    const refusal = refusalOf(request, endpoint !== undefined);
    if (refusal || !endpoint) return refuse(exchange, refusal ?? NO_ENDPOINT);
    const parsed = parseJson(await readBody(request, whole.limits));
    if (!parsed.ok)
      return refuse(exchange, {
        httpStatus: 400,
        code: JsonRpcCode.parseError,
        message: `Parse error: ${parsed.reason}`,
      });
    if (Array.isArray(parsed.value)) return serveBatch(parsed.value, endpoint, door, exchange);
    const stream = wantsEvents(request) ? createEventStream(response) : undefined;
    const answered = await answer(readMessage(parsed.value), endpoint, door, exchange, stream);
    if (!answered) return void response.writeHead(202).end();
    if (stream && (stream.begun || door.onlyEvents)) return stream.finish(answered.text);
    await sendJson(request, response, answered.httpStatus, answered.text, answered.headers);
  };

  /** Batches are of revision 2025-03-26; a request that speaks for itself is answered in one all the same. */
  const serveBatch = async (
    batch: readonly JsonValue[],
    endpoint: Endpoint,
    door: Door,
    exchange: Exchange,
  ): Promise<void> => {
    if (batch.length === 0 || batch.length > MAX_BATCH)
      return refuse(exchange, {
        httpStatus: 400,
        code: JsonRpcCode.invalidRequest,
        message: `A batch has 1 to ${MAX_BATCH} messages.`,
      });
    const answers = await Promise.all(
      batch.map((json) => answer(readMessage(json), endpoint, door, exchange, undefined)),
    );
    const texts = answers.flatMap((each) => (each ? [each.text] : []));
    if (texts.length === 0) return void exchange.response.writeHead(202).end();
    await sendJson(exchange.request, exchange.response, 200, `[${texts.join(",")}]`);
  };

  const answer = async (
    message: JsonRpcMessage,
    endpoint: Endpoint,
    door: Door,
    exchange: Exchange,
    stream: EventStream | undefined,
  ): Promise<Answered | undefined> => {
    switch (message.kind) {
      case "invalid": {
        const fault = {
          code: JsonRpcCode.invalidRequest,
          message: `Invalid request: ${message.reason}`,
          data: undefined,
        };
        return { text: errorMessage(message.id, fault), httpStatus: 400 };
      }
      case "notification":
      case "response":
        return undefined;
      case "request":
        return answerRequest(message, endpoint, door, exchange, stream);
    }
  };

  const answerRequest = async (
    { id, method, params }: Extract<JsonRpcMessage, { kind: "request" }>,
    { surface, methods }: Endpoint,
    door: Door,
    exchange: Exchange,
    stream: EventStream | undefined,
  ): Promise<Answered> => {
    // A tool call is a call of its method, which logs it.
    if (method !== "tools/call") log(exchange, method);
    let era: Era = "legacy";
    try {
      era = eraOf(method, params, door.headers);
      const view: View = door.view();
      const progress = stream && progressOf(params, (text) => stream.offer(text));
      const context = contextOf(exchange, "mcp", INSIDE, whole.logger);
      const result = await methods({ method, params, era, view, context, ...(progress && { progress }) });
      return { text: resultMessage(id, result), httpStatus: 200 };
    } catch (error) {
      if (error instanceof JsonRpcError) return { text: errorMessage(id, error), httpStatus: statusOf(error, era) };
      if (error instanceof ConnectError && error.code === Code.Unauthenticated)
        return unauthenticated(id, error, challenge(surface.path, exchange.request, deps.oauth));
      whole.logger.error({ err: error, requestId: exchange.requestId }, "an MCP request failed");
      return { text: errorMessage(id, INTERNAL), httpStatus: 200 };
    }
  };

  const log = ({ requestId, startedAt }: Exchange, method: string, status = "OK"): void => {
    const line = { method: `mcp ${method.slice(0, 100)}`, protocol: "mcp" as const, requestId, startedAt };
    logRequest(whole.logger, whole.clock, line, status);
  };

  const refuse = (exchange: Exchange, { httpStatus, headers, ...error }: Refusal): Promise<void> => {
    const { request, response } = exchange;
    log(exchange, request.method ?? "", "INVALID_ARGUMENT");
    return sendRefusal(request, response, httpStatus, errorMessage(null, { ...error, data: undefined }), headers);
  };

  const fail = async (exchange: Exchange, error: unknown): Promise<void> => {
    if (exchange.response.destroyed) return;
    if (!(error instanceof HttpError)) throw error;
    const { code } = error.body.error;
    return refuse(exchange, { httpStatus: code, code: JsonRpcCode.invalidRequest, message: error.message });
  };

  return (request, response) => {
    const exchange = openExchange(request, response, whole);
    serve(exchange)
      .catch((error: unknown) => fail(exchange, error))
      .catch((error: unknown) => {
        whole.logger.error({ err: error, requestId: exchange.requestId }, "an answer could not be sent");
        response.destroy();
      });
  };
}

const INTERNAL = {
  code: JsonRpcCode.internalError,
  message: "Internal error. The server's log has the details.",
  data: undefined,
};

const NO_ENDPOINT: Refusal = {
  httpStatus: 404,
  code: JsonRpcCode.transport,
  message: `There is no MCP endpoint here. The endpoints are ${CES.path} and ${ANALYTICS.path}.`,
};

/** The one refusal of a tool that is the transport's: a client that gets it can sign in and come again. */
function unauthenticated(id: string | number, error: ConnectError, wwwAuthenticate: string): Answered {
  const data = toErrorBody(error) as unknown as JsonObject;
  return {
    text: errorMessage(id, { code: JsonRpcCode.transport, message: error.rawMessage, data }),
    httpStatus: 401,
    headers: { "www-authenticate": wwwAuthenticate },
  };
}
