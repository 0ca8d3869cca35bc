import type { JsonValue } from "#base";
import { INTERNAL_REVISION, logRequest, type Registry } from "#rpc";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, openExchange, wholeDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendRefusal } from "../http/send-refusal.ts";
import { parseJson } from "../json/parse-json.ts";
import { answerMessage } from "./answer-message.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { type Door, doorOf, type Refusal, refusalOf, statusOf, wantsEvents } from "./http-door.ts";
import { errorMessage, JsonRpcCode, type JsonRpcMessage, readMessage } from "./json-rpc.ts";
import { createMcpMethods, type McpMethods } from "./mcp-methods.ts";
import { challenge, isMetadataPath, metadataOf, type OAuthFacts } from "./protected-resource.ts";
import type { Additions } from "./providers.ts";
import { createRunningCalls } from "./running-calls.ts";
import { ANALYTICS, CES, type Surface } from "./surface.ts";

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
 * MCP over Streamable HTTP, for clients of every revision since 2025-03-26: each POST is answered by itself, with plain JSON, or as events
 * where the client wants to be told of progress. The session that `initialize` names is kept by the client alone; it says whose
 * request a cancellation means. A bare `tools/call` without handshake, version or Accept
 * header is as good as one after `initialize`.
 */
export function createMcpHandler(registry: Registry, deps: McpDeps): HttpHandler {
  const whole = wholeDeps(deps);
  const version = deps.version ?? "0.0.0";
  const running = createRunningCalls();
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
    if (!answered) return stream?.begun ? void response.end() : void response.writeHead(202).end();
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

  /** Undefined where nothing is to be answered: to notices, and to requests that were taken back. */
  const answer = async (
    message: JsonRpcMessage,
    { surface, methods }: Endpoint,
    door: Door,
    exchange: Exchange,
    stream: EventStream | undefined,
  ): Promise<Answered | undefined> => {
    running.hear(door.session, message);
    const isRequest = message.kind === "request";
    // A tool call is a call of its method, which logs it.
    if (isRequest && message.method !== "tools/call") log(exchange, message.method);
    const call = isRequest && door.session !== "" ? running.begin(door.session, message.id) : undefined;
    const answered = await answerMessage(message, {
      methods,
      headers: door.headers,
      view: door.view,
      context: () => contextOf(withSignal(exchange, call?.signal), "mcp", INTERNAL_REVISION, whole.logger),
      takenBack: call?.signal,
      notify: stream && ((text) => stream.offer(text)),
      onFault: (error) => whole.logger.error({ err: error, requestId: exchange.requestId }, "an MCP request failed"),
    });
    call?.end();
    if (!answered) return undefined;
    const { text, refusal } = answered;
    if (refusal?.kind === "unauthenticated") {
      const wwwAuthenticate = challenge(surface.path, exchange.request, deps.oauth);
      return { text, httpStatus: 401, headers: { "www-authenticate": wwwAuthenticate } };
    }
    if (refusal) return { text, httpStatus: statusOf(refusal.error, refusal.era) };
    const opensSession = isRequest && message.method === "initialize";
    return { text, httpStatus: 200, ...(opensSession && { headers: { "mcp-session-id": whole.ids.uuid() } }) };
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

/** An exchange that ends with the client's word, too. */
function withSignal(exchange: Exchange, signal: AbortSignal | undefined): Exchange {
  return signal ? { ...exchange, signal: AbortSignal.any([exchange.signal, signal]) } : exchange;
}

const NO_ENDPOINT: Refusal = {
  httpStatus: 404,
  code: JsonRpcCode.transport,
  message: `There is no MCP endpoint here. The endpoints are ${CES.path} and ${ANALYTICS.path}.`,
};
