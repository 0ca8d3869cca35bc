import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { type JsonValue, mapStream } from "#base";
import { createMessageJson, logFailedRequest, logRequest, type Registry } from "#rpc";
import { ConnectError, invalidArgument } from "#status";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, openExchange, wholeDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendRefusal } from "../http/send-refusal.ts";
import { createJsonDecoder } from "../json/decode-json.ts";
import { fieldsByName } from "../json/fields.ts";
import { decodeRequest } from "./decode-request.ts";
import { renderError } from "./error.ts";
import { type RestRoute, restRules } from "./http-rules.ts";
import { selectFields } from "./partial-response.ts";
import { createRouter, type RouteMatch } from "./router.ts";
import { sendStream } from "./stream-response.ts";
import { type Query, type ResponseOptions, readQuery } from "./system-parameters.ts";

export interface RestDeps extends ProtocolDeps {
  /** Answer 400 to unknown fields in bodies, as Google does. Default false: newer clients send fields that no published definition has. */
  readonly strict?: boolean;
}

/** One request, once it is clear which method it is for. */
interface Call {
  readonly exchange: Exchange;
  readonly match: RouteMatch<RestRoute>;
  readonly query: Query;
}

/** The methods of a registry over HTTP and JSON, as their `google.api.http` rules say. */
export function createRestHandler(registry: Registry, deps: RestDeps): HttpHandler {
  const whole = wholeDeps(deps);
  const router = createRouter(restRules(registry));
  const decode = createJsonDecoder(registry.types, { strict: deps.strict ?? false });
  const messageJson = createMessageJson(registry.types);

  /** Calls that reached the registry are in the log already. */
  const logged = new WeakSet<Exchange>();

  const serve = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const { path, queryText } = splitTarget(request.url ?? "/");
    const override = methodOverride(exchange);
    const routing = route(path, override ?? request.method ?? "GET");
    if (routing.kind === "options") return void response.writeHead(204, { allow: routing.allowed }).end();
    const posted = override === "GET" && isForm(exchange) ? (await readBody(request, whole.limits)).toString() : "";
    const query = readQuery([queryText, posted].filter(Boolean).join("&"), header(exchange, "x-goog-fieldmask"));
    await invoke({ exchange, match: routing.match, query });
  };

  const route = (path: string, httpMethod: string) => {
    const routing = find(path, httpMethod === "HEAD" ? "GET" : httpMethod);
    switch (routing.kind) {
      case "found":
        return routing;
      case "unknown":
        throw new HttpError(404, "NOT_FOUND", `There is no method at ${httpMethod} ${path}.`);
      case "wrong-method": {
        const allowed = [...routing.allowed, ...(routing.allowed.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(
          ", ",
        );
        if (httpMethod === "OPTIONS") return { kind: "options", allowed } as const;
        throw new HttpError(405, "UNIMPLEMENTED", `${httpMethod} is not allowed at ${path}; use ${allowed}.`, {
          allow: allowed,
        });
      }
    }
  };

  const find = (path: string, httpMethod: string) => {
    try {
      return router.find(httpMethod, path);
    } catch {
      throw invalidArgument({ field: "", description: `The path has a malformed percent escape: ${path}` });
    }
  };

  const invoke = async ({ exchange, match, query }: Call): Promise<void> => {
    const { request, response } = exchange;
    const { method, revision, body: bodyRule, responseBody } = match.route;
    const body = bodyRule === "" ? EMPTY : await readBody(request, whole.limits);
    const message = decodeRequest(match.route, { body, query, values: match.values }, decode);
    const context = contextOf(exchange, "rest", revision, whole.logger);
    const json = renderer(method.internalMethod.output, responseBody, query.options);
    logged.add(exchange);
    if (method.method.methodKind === "server_streaming") {
      const messages = mapStream(registry.stream(method, message, context), json);
      return sendStream(messages, response, { ...query.options, lines: isReadByLine(method.method) });
    }
    const answer = json(await registry.unary(method, message, context));
    await sendJson(request, response, 200, JSON.stringify(answer, null, query.options.pretty ? 2 : 0));
  };

  const renderer = (type: DescMessage, responseBody: string, { enumAsInteger, fields }: ResponseOptions) => {
    return (message: Message): JsonValue => {
      const json = partOf(type, messageJson(type, message, enumAsInteger), responseBody);
      return fields ? selectFields(json, fields) : json;
    };
  };

  const refuse = async (exchange: Exchange, error: unknown): Promise<void> => {
    const { request, response } = exchange;
    if (!logged.has(exchange) || !(error instanceof ConnectError)) logUnserved(exchange, error);
    if (response.destroyed) return;
    if (response.headersSent) return void response.destroy();
    const { httpStatus, body, headers } = renderError(error);
    await sendRefusal(request, response, httpStatus, JSON.stringify(body), headers);
  };

  const logUnserved = ({ request, requestId, startedAt }: Exchange, error: unknown): void => {
    const line = {
      method: `${request.method} ${splitTarget(request.url ?? "/").path}`,
      protocol: "rest",
      requestId,
      startedAt,
    } as const;
    if (error instanceof HttpError) logRequest(whole.logger, whole.clock, line, error.body.error.status);
    else logFailedRequest(whole.logger, whole.clock, line, error);
  };

  return (request, response) => {
    const exchange = openExchange(request, response, whole);
    serve(exchange)
      .catch((error: unknown) => refuse(exchange, error))
      .catch((error: unknown) => {
        whole.logger.error({ err: error, requestId: exchange.requestId }, "an answer could not be sent");
        response.destroy();
      });
  };
}

const EMPTY = Buffer.alloc(0);

/** Clients of this API read streams by line; those of the others by brackets. */
function isReadByLine({ parent }: DescMethod): boolean {
  return parent.typeName.startsWith("google.cloud.geminidataanalytics.");
}

function splitTarget(target: string): { readonly path: string; readonly queryText: string } {
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, queryText: "" }
    : { path: target.slice(0, mark), queryText: target.slice(mark + 1) };
}

/** For clients behind proxies that let only POST through. */
function methodOverride(exchange: Exchange): string | undefined {
  return exchange.request.method === "POST" ? header(exchange, "x-http-method-override")?.toUpperCase() : undefined;
}

/** A GET too long for a URL may come as a POSTed form. */
function isForm(exchange: Exchange): boolean {
  return header(exchange, "content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;
}

function header({ request }: Exchange, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function partOf(type: DescMessage, json: JsonValue, responseBody: string): JsonValue {
  if (responseBody === "") return json;
  const field = fieldsByName(type).get(responseBody);
  return (field && (json as { readonly [name: string]: JsonValue })[field.jsonName]) ?? null;
}
