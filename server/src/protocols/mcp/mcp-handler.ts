import type { JsonValue } from "#base";
import { type CallContext, INTERNAL_REVISION, logRequest, type Registry } from "#rpc";
import { Code, ConnectError, httpStatusOf } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import {
  contextOf,
  type Exchange,
  openExchange,
  type ResolvedDeps,
  resolveDeps,
  type Sender,
} from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendEarly } from "../http/send-early.ts";
import { senderOf } from "../http/sender.ts";
import { parseLongJson } from "../json/parse-json.ts";
import { answerMessage } from "./answer-message.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import {
  acceptsEvents,
  type McpHttpRequest,
  readHttpRequest,
  statusOf,
  type TransportError,
  transportErrorOf,
} from "./http-request.ts";
import { createInFlightRequests, type InFlightRequests } from "./in-flight-requests.ts";
import { errorMessage, JsonRpcCode, type JsonRpcMessage, readMessage } from "./json-rpc.ts";
import { createMcpMethods, type McpMethods } from "./mcp-methods.ts";
import { bearerChallenge, endpointOfMetadata, metadataOf, type OAuthConfig } from "./protected-resource.ts";
import type { McpAdditions } from "./providers.ts";
import { ANALYTICS, CES, type Surface } from "./surface.ts";

/** Most messages of a batch. */
const MAX_BATCH = 50;

/** What the MCP endpoints need besides the registered methods. */
export interface McpDeps extends ProtocolDeps {
  /** Product version in `serverInfo`. Default "0.0.0". */
  readonly version?: string;
  /** Protected resource metadata: which authorization servers issue tokens. Default: there is no metadata. */
  readonly oauth?: OAuthConfig;
  /** Makes every call a dry run, also without `dry_run` in the URL. Default false. */
  readonly dryRun?: boolean;
  /** Tools, resources and prompts of `/mcp` besides the registered methods. Default none. */
  readonly additions?: McpAdditions;
}

/**
 * MCP over Streamable HTTP, for clients of every revision since 2024-11-05. Each POST has a response of its own: plain JSON, or events
 * when the client requested progress. The server stores no sessions; the id that `initialize` returns only identifies whose request
 * a cancellation means. A `tools/call` without handshake, version or Accept header is as good as one after `initialize`.
 */
export function createMcpHandler(registry: Registry, deps: McpDeps): HttpHandler {
  const version = deps.version ?? "0.0.0";
  const server: McpServer = {
    deps: resolveDeps(deps),
    oauth: deps.oauth,
    dryRun: deps.dryRun ?? false,
    inFlight: createInFlightRequests(),
    endpoints: [
      { surface: CES, methods: createMcpMethods(registry, CES, version, deps.additions) },
      { surface: ANALYTICS, methods: createMcpMethods(registry, ANALYTICS, version) },
    ],
  };
  return (request, response) => {
    const exchange = openExchange(request, response, server.deps);
    serve(exchange, server)
      .catch((error: unknown) => sendHttpError(exchange, error, server))
      .catch((error: unknown) => {
        server.deps.logger.error({ err: error, requestId: exchange.requestId }, "a response could not be sent");
        response.destroy();
      });
  };
}

interface McpServer {
  readonly deps: ResolvedDeps;
  readonly oauth: OAuthConfig | undefined;
  readonly dryRun: boolean;
  readonly inFlight: InFlightRequests;
  readonly endpoints: readonly Endpoint[];
}

/** One address and the methods that it serves. */
interface Endpoint {
  readonly surface: Surface;
  readonly methods: McpMethods;
}

/** What the messages of one POST have in common. */
interface Post {
  readonly exchange: Exchange;
  readonly sender: Sender;
  readonly http: McpHttpRequest;
  readonly endpoint: Endpoint;
}

/** The response to one message, with the HTTP status that it has outside of a batch. */
interface MessageResponse {
  readonly text: string;
  readonly httpStatus: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function serve(exchange: Exchange, server: McpServer): Promise<void> {
  const { request, response } = exchange;
  const http = readHttpRequest(request, server.dryRun);
  const described = endpointOfMetadata(http.path);
  const endpoint = server.endpoints.find(({ surface }) => surface.path === (described ?? http.path));
  if (server.oauth && endpoint && described !== undefined)
    return sendJson(request, response, 200, metadataOf(described, request, server.oauth));
  if (!endpoint || described !== undefined) return sendTransportError(exchange, NO_ENDPOINT, server);
  const error = transportErrorOf(request);
  if (error) return sendTransportError(exchange, error, server);
  const sender = await senderOf(exchange, server.deps, { endpoint: http.path });
  const parsed = await parseLongJson(await readBody(request, server.deps.limitsOf(sender.caller)));
  if (!parsed.ok) return sendTransportError(exchange, parseError(parsed.reason), server);
  const post = { exchange, sender, http, endpoint };
  return Array.isArray(parsed.value) ? serveBatch(parsed.value, post, server) : serveOne(parsed.value, post, server);
}

async function serveOne(json: JsonValue, post: Post, server: McpServer): Promise<void> {
  const { request, response } = post.exchange;
  const events = acceptsEvents(request) ? createEventStream(response) : undefined;
  const answer = await respond(readMessage(json), post, events, server);
  if (!answer) return events?.begun ? void response.end() : void response.writeHead(202).end();
  if (events && (events.begun || post.http.onlyEvents)) return events.finish(answer.text);
  await sendJson(request, response, answer.httpStatus, answer.text, answer.headers);
}

/** Batches belong to revision 2025-03-26; requests of later revisions are accepted in them too. */
async function serveBatch(batch: readonly JsonValue[], post: Post, server: McpServer): Promise<void> {
  const { exchange } = post;
  if (batch.length === 0 || batch.length > MAX_BATCH) return sendTransportError(exchange, BATCH_SIZE, server);
  const answers = await Promise.all(batch.map((json) => respond(readMessage(json), post, undefined, server)));
  const texts = answers.flatMap((answer) => (answer ? [answer.text] : []));
  if (texts.length === 0) return void exchange.response.writeHead(202).end();
  await sendJson(exchange.request, exchange.response, 200, `[${texts.join(",")}]`);
}

/** The response to one message; undefined for notifications and for requests that the client cancelled. */
async function respond(
  message: JsonRpcMessage,
  post: Post,
  events: EventStream | undefined,
  server: McpServer,
): Promise<MessageResponse | undefined> {
  const { exchange, sender, http, endpoint } = post;
  const { inFlight, deps, oauth } = server;
  const isRequest = message.kind === "request";
  inFlight.cancelFor(http.session, message);
  // A tool call is a call of its method, which the registry logs.
  if (isRequest && message.method !== "tools/call") log(exchange, message.method, "OK", server);
  const request = isRequest && http.session !== "" ? inFlight.begin(http.session, message.id) : undefined;
  const answer = await answerMessage(message, {
    methods: endpoint.methods,
    headers: http.headers,
    view: http.view,
    context: () => callContext(exchange, sender, request?.signal, deps),
    cancelSignal: request?.signal,
    notify: events && ((text) => events.offer(text)),
    onFault: (error) => deps.logger.error({ err: error, requestId: exchange.requestId }, "an MCP request failed"),
  });
  request?.end();
  if (!answer) return undefined;
  const { text, error } = answer;
  if (error?.kind === "challenge") {
    const challenge = bearerChallenge(error.cause, endpoint.surface.path, exchange.request, oauth);
    return { text, httpStatus: httpStatusOf(error.cause), headers: { "www-authenticate": challenge } };
  }
  if (error) return { text, httpStatus: statusOf(error.error, error.era) };
  if (!isRequest || message.method !== "initialize") return { text, httpStatus: 200 };
  return { text, httpStatus: 200, headers: { "mcp-session-id": deps.ids.uuid() } };
}

/** The context of a call that ends with the connection, or when the client cancels the request. */
function callContext(
  exchange: Exchange,
  sender: Sender,
  cancelSignal: AbortSignal | undefined,
  deps: ResolvedDeps,
): CallContext {
  const signal = cancelSignal ? AbortSignal.any([exchange.signal, cancelSignal]) : exchange.signal;
  return contextOf({ ...exchange, signal }, sender, "mcp", INTERNAL_REVISION, deps.logger);
}

function log({ requestId, startedAt }: Exchange, method: string, status: string, { deps }: McpServer): void {
  const entry = { method: `mcp ${method.slice(0, 100)}`, protocol: "mcp" as const, requestId, startedAt };
  logRequest(deps.logger, deps.clock, entry, status);
}

function sendTransportError(
  exchange: Exchange,
  { httpStatus, headers, ...error }: TransportError,
  server: McpServer,
  status = "INVALID_ARGUMENT",
): Promise<void> {
  const { request, response } = exchange;
  log(exchange, request.method ?? "", status, server);
  return sendEarly(request, response, httpStatus, errorMessage(null, { ...error, data: undefined }), headers);
}

async function sendHttpError(exchange: Exchange, error: unknown, server: McpServer): Promise<void> {
  if (exchange.response.destroyed) return;
  if (error instanceof ConnectError && error.code === Code.Unauthenticated) {
    const { request } = exchange;
    const { path } = readHttpRequest(request, server.dryRun);
    const headers = { "www-authenticate": bearerChallenge(error, path, request, server.oauth) };
    const refusal = { httpStatus: 401, code: JsonRpcCode.transport, message: error.rawMessage, headers };
    return sendTransportError(exchange, refusal, server, "UNAUTHENTICATED");
  }
  if (!(error instanceof HttpError)) throw error;
  const { code: httpStatus } = error.body.error;
  await sendTransportError(exchange, { httpStatus, code: JsonRpcCode.invalidRequest, message: error.message }, server);
}

const NO_ENDPOINT: TransportError = {
  httpStatus: 404,
  code: JsonRpcCode.transport,
  message: `There is no MCP endpoint here. The endpoints are ${CES.path} and ${ANALYTICS.path}.`,
};

const BATCH_SIZE: TransportError = {
  httpStatus: 400,
  code: JsonRpcCode.invalidRequest,
  message: `A batch has 1 to ${MAX_BATCH} messages.`,
};

function parseError(reason: string): TransportError {
  return { httpStatus: 400, code: JsonRpcCode.parseError, message: `Parse error: ${reason}` };
}
