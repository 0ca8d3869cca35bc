import type { IncomingHttpHeaders } from "node:http";
import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { type JsonValue, mapStream, yieldToEventLoop } from "#base";
import { createMessageJson, logFailedRequest, logRequest, type MessageJson, type Registry } from "#rpc";
import { ConnectError, invalidArgument } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { selectFields } from "../fields/partial-response.ts";
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
import { requestPath, splitTarget } from "../http/request-target.ts";
import { sendJson } from "../http/send.ts";
import { headersWithParameters, senderOf } from "../http/sender.ts";
import { createJsonDecoder, type JsonDecoder } from "../json/decode-json.ts";
import { fieldsByName } from "../json/fields.ts";
import { LONG_BODY } from "../json/parse-json.ts";
import { decodeRequest } from "./decode-request.ts";
import { type RestRoute, type RestRule, restRules } from "./http-rules.ts";
import { jsonText } from "./json-text.ts";
import { createRouter, type RouteMatch } from "./router.ts";
import { sendError } from "./send-error.ts";
import { sendStream } from "./stream-response.ts";
import { type ResponseOptions, readQuery } from "./system-parameters.ts";

interface RestDeps extends ProtocolDeps {
  /** Respond 400 to unknown fields in bodies, as Google does. Default false: newer clients send fields that no published definition has. */
  readonly strict?: boolean;
  /** The routes. Default: those of the definitions. */
  readonly rules?: readonly RestRule[];
  /** How responses differ from those of Google's APIs. Default: not at all. */
  readonly dialect?: RestDialect;
}

/** Responses of an API that is not Google's. */
interface RestDialect {
  /** Of responses without an error. */
  readonly contentType: string;
  /** Streams are server-sent events, whether or not the client asks for them. */
  readonly onlyEvents: boolean;
  /** Refuses a body by its content type. Throws a status error. */
  readonly checkType: (contentType: string | undefined) => void;
  /** Adds what clients of the API expect in a response and proto3 JSON leaves out. */
  readonly complete: (type: DescMessage, json: JsonValue) => JsonValue;
}

/** The methods of a registry over HTTP and JSON, by their `google.api.http` rules. */
export function createRestHandler(registry: Registry, deps: RestDeps): HttpHandler {
  const server: RestServer = {
    registry,
    deps: resolveDeps(deps),
    router: createRouter(deps.rules ?? restRules(registry)),
    dialect: deps.dialect,
    decode: createJsonDecoder(registry.types, { strict: deps.strict ?? false }),
    messageJson: createMessageJson(registry.types),
  };
  return (request, response) => {
    const exchange = openExchange(request, response, server.deps);
    serve(exchange, server).catch((error: unknown) => {
      server.deps.logger.error({ err: error, requestId: exchange.requestId }, "a response could not be sent");
      response.destroy();
    });
  };
}

interface RestServer {
  readonly registry: Registry;
  readonly deps: ResolvedDeps;
  readonly router: ReturnType<typeof createRouter<RestRoute>>;
  readonly dialect: RestDialect | undefined;
  readonly decode: JsonDecoder;
  readonly messageJson: MessageJson;
}

/** A decoded request: who makes it, the method, its request message, and the options of the response. */
interface RestCall {
  readonly sender: Sender;
  readonly route: RestRoute;
  readonly message: Message;
  readonly options: ResponseOptions;
  /** Whether the request's body is long. */
  readonly isLong: boolean;
}

/** One exchange: route, authenticate, read, call, respond. Rejects when the response cannot be sent. */
async function serve(exchange: Exchange, server: RestServer): Promise<void> {
  let call: RestCall;
  try {
    const found = findRoute(exchange, server);
    if ("allow" in found) return void exchange.response.writeHead(204, found).end();
    call = await readCall(exchange, found, server);
  } catch (error) {
    // The call did not reach the registry, which logs all others.
    logRejected(exchange, error, server.deps);
    return sendError(exchange, error);
  }
  try {
    await invoke(exchange, call, server);
  } catch (error) {
    // Status errors are those of the call. Anything else is a fault in rendering its response.
    if (!(error instanceof ConnectError)) logRejected(exchange, error, server.deps);
    return sendError(exchange, error);
  }
}

/** The route of a request, or the `Allow` header of an OPTIONS request. Throws `HttpError` 404 or 405. */
function findRoute({ request }: Exchange, { router }: RestServer): RouteMatch<RestRoute> | { readonly allow: string } {
  const path = requestPath(request);
  const httpMethod = methodOverride(request.headers, request.method) ?? request.method ?? "GET";
  const routing = find(router, httpMethod === "HEAD" ? "GET" : httpMethod, path);
  if (routing.kind === "found") return routing.match;
  if (routing.kind === "unknown") throw new HttpError(404, "NOT_FOUND", `There is no method at ${httpMethod} ${path}.`);
  const allow = [...routing.allowed, ...(routing.allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (httpMethod === "OPTIONS") return { allow };
  const message = `${httpMethod} is not allowed at ${path}; use ${allow}.`;
  throw new HttpError(405, "UNIMPLEMENTED", message, { allow });
}

function find(router: RestServer["router"], httpMethod: string, path: string) {
  try {
    return router.find(httpMethod, path);
  } catch {
    throw invalidArgument({ field: "", description: `The path has a malformed percent escape: ${path}` });
  }
}

/** Finds out who calls, reads query and body, and decodes the request message. */
async function readCall(
  exchange: Exchange,
  { route, values }: RouteMatch<RestRoute>,
  { deps, decode, dialect }: RestServer,
): Promise<RestCall> {
  const { request } = exchange;
  const sender = await senderOf(exchange, deps, { headers: headersWithParameters(request) });
  const { queryText } = splitTarget(request.url ?? "/");
  // A query that is too long for a URL may be sent as the form of a POST that overrides its method with GET.
  const isQueryForm = methodOverride(request.headers, request.method) === "GET" && isForm(request.headers);
  const form = isQueryForm
    ? (await readBody(request, { ...deps.limits, maxBodyBytes: MAX_FORM_BYTES })).toString()
    : "";
  const fieldMask = firstOf(request.headers["x-goog-fieldmask"]);
  const query = readQuery([queryText, form].filter(Boolean).join("&"), fieldMask, responseTypeOf(route));
  const body = route.body === "" ? NO_BODY : await readBody(request, deps.limitsOf(sender.caller));
  if (body.length > 0) dialect?.checkType(request.headers["content-type"]);
  const isLong = body.length > LONG_BODY;
  if (isLong) await yieldToEventLoop();
  const message = await decodeRequest(route, { body, query, values }, decode);
  if (isLong) await yieldToEventLoop();
  return { sender, route, message, options: query.options, isLong };
}

function responseTypeOf({ method, responseBody }: RestRoute): DescMessage {
  const { output } = method.internalMethod;
  return fieldsByName(output).get(responseBody)?.message ?? output;
}

/** Bytes of a query that is sent as a form: many times what fits into a URL. */
const MAX_FORM_BYTES = 256 * 1024;

const NO_BODY = Buffer.alloc(0);

/** Calls the method and sends its response or responses. */
async function invoke(exchange: Exchange, call: RestCall, server: RestServer): Promise<void> {
  const { registry, deps } = server;
  const { request, response } = exchange;
  const { sender, route, message, options } = call;
  const context = contextOf(exchange, sender, "rest", route.revision, deps.logger);
  const render = (responseMessage: Message): JsonValue => renderResponse(responseMessage, call, server);
  if (route.method.method.methodKind === "server_streaming") {
    const messages = mapStream(registry.stream(route.method, message, context), render);
    const serverSentEvents = options.serverSentEvents || server.dialect?.onlyEvents === true;
    const lines = isReadByLine(route.method.method);
    return sendStream(messages, response, { ...options, serverSentEvents, lines, heartbeatMs: deps.heartbeatMs });
  }
  const answer = await registry.unary(route.method, message, context);
  // The response to a long request is often as long: a turn returns its messages.
  if (call.isLong) await yieldToEventLoop();
  const headers = server.dialect && { "content-type": server.dialect.contentType };
  await sendJson(request, response, 200, await renderText(answer, call, server), headers);
}

async function renderText(message: Message, call: RestCall, server: RestServer): Promise<string> {
  const { route, options } = call;
  const { pretty = false, fields, enumAsInteger } = options;
  if (route.responseBody !== "") return JSON.stringify(renderResponse(message, call, server), null, pretty ? 2 : 0);
  const render = (type: DescMessage, each: Message): JsonValue => messageValue(type, each, enumAsInteger, server);
  return jsonText(route.method.internalMethod.output, message, { render, fields, pretty });
}

function renderResponse(message: Message, { route, options }: RestCall, server: RestServer): JsonValue {
  const type = route.method.internalMethod.output;
  const json = messageValue(type, message, options.enumAsInteger, server);
  const body = route.responseBody === "" ? json : memberOf(json, fieldsByName(type).get(route.responseBody)?.jsonName);
  return options.fields ? selectFields(body, options.fields) : body;
}

function messageValue(
  type: DescMessage,
  message: Message,
  enumAsInteger: boolean | undefined,
  { messageJson, dialect }: RestServer,
): JsonValue {
  const json = messageJson(type, message, enumAsInteger);
  return dialect ? dialect.complete(type, json) : json;
}

function memberOf(json: JsonValue, name: string | undefined): JsonValue {
  return (name === undefined ? undefined : (json as { readonly [name: string]: JsonValue })[name]) ?? null;
}

/** Logs a request that failed outside of the registry. */
function logRejected(
  { request, requestId, startedAt }: Exchange,
  error: unknown,
  { logger, clock }: ResolvedDeps,
): void {
  const method = `${request.method} ${requestPath(request)}`;
  const entry = { method, protocol: "rest", requestId, startedAt } as const;
  if (error instanceof HttpError) logRequest(logger, clock, entry, error.body.error.status);
  else logFailedRequest(logger, clock, entry, error);
}

/** Clients of the Conversational Analytics API read streams line by line; other clients read JSON. */
function isReadByLine({ parent }: DescMethod): boolean {
  return parent.typeName.startsWith("google.cloud.geminidataanalytics.");
}

/** `X-HTTP-Method-Override` of a POST, for clients behind proxies that allow only POST. */
function methodOverride(headers: IncomingHttpHeaders, httpMethod: string | undefined): string | undefined {
  return httpMethod === "POST" ? firstOf(headers["x-http-method-override"])?.toUpperCase() : undefined;
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
