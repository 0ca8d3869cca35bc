import type { Message } from "@bufbuild/protobuf";
import { isJsonObject, type JsonObject, type JsonValue, mapStream } from "#base";
import {
  type CallContext,
  INTERNAL_REVISION,
  logFailedRequest,
  logRequest,
  type MessageJson,
  type RegisteredMethod,
  type Registry,
} from "#rpc";
import { a2aVersionNotSupported, Code, httpStatusOf, toStatusError } from "#status";
import type { RequestLimits } from "../contract.ts";
import { contextOf, type Exchange, type ResolvedDeps, type Sender } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendEarly } from "../http/send-early.ts";
import { senderOf } from "../http/sender.ts";
import type { JsonDecoder } from "../json/decode-json.ts";
import { hasTooManyJsonValues, MAX_A2A_VALUES } from "../json/max-values.ts";
import { parseLongJson } from "../json/parse-json.ts";
import { sendStream } from "../rest/stream-response.ts";
import { withRequiredFields } from "./complete-json.ts";
import { requireJson } from "./content-type.ts";
import { A2aCode, faultOf, type JsonRpcFault } from "./error-codes.ts";
import { A2A_SERVICE } from "./rules.ts";

/** What the JSON-RPC binding needs. */
interface JsonRpcServer {
  readonly registry: Registry;
  readonly deps: ResolvedDeps;
  readonly decode: JsonDecoder;
  readonly messageJson: MessageJson;
  /** Answers methods of version 0.3; undefined for a method that 0.3 does not have. */
  readonly legacy: LegacyMethods;
}

/** The methods of version 0.3. */
export type LegacyMethods = (
  request: RpcRequest,
  tenant: string,
  context: CallContext,
) => Promise<LegacyAnswer | undefined>;

export type LegacyAnswer =
  | { readonly kind: "one"; readonly result: JsonValue }
  | { readonly kind: "stream"; readonly results: AsyncIterable<JsonValue> };

interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

type RequestId = string | number | null;

/** Serves one POST: a request of JSON-RPC 2.0 (A2A 1.0, section 9), in the words of version 1.0 or 0.3. */
export async function serveJsonRpc(exchange: Exchange, tenant: string, server: JsonRpcServer): Promise<void> {
  const { request, response } = exchange;
  let id: RequestId = null;
  let called = false;
  try {
    const sender = await senderOf(exchange, server.deps);
    const json = await readJson(exchange, server.deps.limitsOf(sender.caller));
    id = idOf(json);
    const rpc = readRequest(json);
    const context = contextFor(exchange, sender, rpc, server);
    const call = isLegacy(rpc) ? undefined : decodeCall(rpc, tenant, server);
    called = true;
    const answer = call ? await invoke(call, context, server) : await callLegacy(rpc, tenant, context, server);
    if (answer.kind === "one") return await sendJson(request, response, 200, resultText(id, answer.result));
    await sendStream(withFaults(answer.results, id), response, { ...EVENTS, heartbeatMs: server.deps.heartbeatMs });
  } catch (error) {
    // Calls of methods are logged by the registry.
    if (!called || error instanceof RpcError || error instanceof HttpError) logRejected(exchange, error, server.deps);
    await sendFault(exchange, id, error);
  }
}

const EVENTS = { serverSentEvents: true, lines: false, pretty: undefined };

/** An error of JSON-RPC itself. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

async function readJson({ request }: Exchange, limits: RequestLimits): Promise<JsonValue> {
  requireJson(request.headers["content-type"]);
  const body = await readBody(request, limits);
  if (hasTooManyJsonValues(body, MAX_A2A_VALUES))
    throw new RpcError(A2aCode.invalidParams, `The message has more than ${MAX_A2A_VALUES} values.`);
  const parsed = await parseLongJson(body);
  if (parsed.ok) return parsed.value;
  throw new RpcError(A2aCode.parseError, `Invalid JSON payload: ${parsed.reason}`);
}

/** The id as far as it can be told, for the answer to an invalid request. */
function idOf(json: JsonValue): RequestId {
  if (!isJsonObject(json)) return null;
  return typeof json.id === "string" || typeof json.id === "number" ? json.id : null;
}

function readRequest(json: JsonValue): RpcRequest {
  if (!isJsonObject(json)) throw invalid("A request is one JSON object; there are no batches.");
  const { jsonrpc, id = null, method, params = {} } = json;
  if (jsonrpc !== "2.0") throw invalid('A request has "jsonrpc": "2.0".');
  if (id !== null && typeof id !== "string" && typeof id !== "number") throw invalid("id is a string or a number.");
  if (typeof method !== "string" || method === "") throw invalid("A request has a method.");
  if (!isJsonObject(params)) throw new RpcError(A2aCode.invalidParams, "params is an object.");
  return { id, method, params };
}

function invalid(message: string): RpcError {
  return new RpcError(A2aCode.invalidRequest, message);
}

/** Methods of 0.3 have a slash in their names, those of 1.0 are those of the service. */
function isLegacy({ method }: RpcRequest): boolean {
  return method.includes("/");
}

function contextFor(exchange: Exchange, sender: Sender, rpc: RpcRequest, { deps }: JsonRpcServer): CallContext {
  return contextOf(exchange, sender, isLegacy(rpc) ? "a2a-0.3" : "a2a", INTERNAL_REVISION, deps.logger);
}

interface MethodCall {
  readonly method: RegisteredMethod;
  readonly message: Message;
}

function decodeCall(rpc: RpcRequest, tenant: string, { registry, decode }: JsonRpcServer): MethodCall {
  const method = registry.find(`/${A2A_SERVICE}/${rpc.method}`);
  if (!method) throw unknownMethod(rpc);
  return { method, message: decode(method.internalMethod.input, addressed(rpc.params, tenant)) };
}

async function invoke(
  { method, message }: MethodCall,
  context: CallContext,
  server: JsonRpcServer,
): Promise<LegacyAnswer> {
  const { registry } = server;
  const render = (answer: Message) => resultOf(method, answer, server);
  if (method.method.methodKind === "server_streaming")
    return { kind: "stream", results: mapStream(registry.stream(method, message, context), render) };
  return { kind: "one", result: render(await registry.unary(method, message, context)) };
}

async function callLegacy(
  rpc: RpcRequest,
  tenant: string,
  context: CallContext,
  { legacy }: JsonRpcServer,
): Promise<LegacyAnswer> {
  const version = context.headers.get("a2a-version")?.trim() || "0.3";
  const answer = /^0\.3(?:\.\d+)?$/.test(version) ? await legacy(rpc, tenant, context) : undefined;
  if (answer) return answer;
  if (!/^(?:0\.3|1)(?:\.|$)/.test(version)) throw a2aVersionNotSupported(version);
  throw unknownMethod(rpc, version);
}

/** `version`: the one in whose words the method was to be served, where the caller has named it. */
function unknownMethod({ method }: RpcRequest, version?: string): RpcError {
  const place = version?.startsWith("1")
    ? ` in version ${version.slice(0, 20)}, whose methods are SendMessage, GetTask and the like`
    : "";
  return new RpcError(A2aCode.methodNotFound, `There is no method '${method.slice(0, 100)}'${place}.`);
}

/** The agent of the address, unless the request names one: in the address of all agents it does. */
function addressed(params: JsonObject, tenant: string): JsonObject {
  return params.tenant === undefined || params.tenant === "" ? { ...params, tenant } : params;
}

function resultOf(
  { internalMethod: { output } }: RegisteredMethod,
  answer: Message,
  { messageJson }: JsonRpcServer,
): JsonValue {
  // An empty answer is null.
  return output.fields.length === 0 ? null : withRequiredFields(output, messageJson(output, answer));
}

/** The messages of a stream; an error after the first one is a message too, because the status has been sent. */
async function* withFaults(results: AsyncIterable<JsonValue>, id: RequestId): AsyncGenerator<JsonValue, void> {
  let begun = false;
  try {
    for await (const result of results) {
      begun = true;
      yield { jsonrpc: "2.0", id, result };
    }
  } catch (error) {
    if (!begun) throw error;
    yield { jsonrpc: "2.0", id, error: faultOf(toStatusError(error)) as unknown as JsonValue };
  }
}

function resultText(id: RequestId, result: JsonValue): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function logRejected({ requestId, startedAt }: Exchange, error: unknown, { logger, clock }: ResolvedDeps): void {
  const entry = { method: "a2a", protocol: "a2a", requestId, startedAt } as const;
  if (error instanceof HttpError) logRequest(logger, clock, entry, error.body.error.status);
  else if (error instanceof RpcError) logRequest(logger, clock, entry, "INVALID_ARGUMENT");
  else logFailedRequest(logger, clock, entry, error);
}

/** Errors have the status 200, but for callers that are not known or may not call. */
async function sendFault({ request, response }: Exchange, id: RequestId, error: unknown): Promise<void> {
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  if (error instanceof HttpError) {
    const fault = { code: A2aCode.invalidRequest, message: error.message };
    return sendEarly(request, response, error.body.error.code, faultText(id, fault), error.headers);
  }
  if (error instanceof RpcError)
    return sendEarly(request, response, 200, faultText(id, { code: error.code, message: error.message }));
  const status = toStatusError(error);
  const isDenied = status.code === Code.Unauthenticated || status.code === Code.PermissionDenied;
  const headers: Record<string, string> = status.code === Code.Unauthenticated ? { "www-authenticate": "Bearer" } : {};
  await sendEarly(request, response, isDenied ? httpStatusOf(status) : 200, faultText(id, faultOf(status)), headers);
}

function faultText(id: RequestId, error: JsonRpcFault): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}
