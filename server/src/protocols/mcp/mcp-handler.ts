import type { JsonObject, JsonValue } from "#base";
import { INSIDE, logRequest, type Registry } from "#rpc";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { contextOf, type Exchange, openExchange, wholeDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendRefusal } from "../http/send-refusal.ts";
import { parseJson } from "../json/parse-json.ts";
import {
  errorMessage,
  JsonRpcCode,
  JsonRpcError,
  type JsonRpcMessage,
  readMessage,
  resultMessage,
} from "./json-rpc.ts";
import { createMcpMethods, PROTOCOL_VERSIONS } from "./mcp-methods.ts";

/** Most messages in one batch. */
const MAX_BATCH = 50;

export interface McpDeps extends ProtocolDeps {
  /** Product version that `initialize` tells. Default "0.0.0". */
  readonly version?: string;
}

/** A refusal of the transport: an HTTP status with a JSON-RPC error. */
interface Refusal {
  readonly httpStatus: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * MCP over Streamable HTTP without sessions: each POST is answered by itself, with plain JSON, whatever came before. A
 * bare `tools/call` without handshake, version or Accept header is as good as one after `initialize`.
 */
export function createMcpHandler(registry: Registry, deps: McpDeps): HttpHandler {
  const whole = wholeDeps(deps);
  const methods = createMcpMethods(registry, deps.version ?? "0.0.0");

  const serve = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const refusal = refusalOf(exchange);
    if (refusal) return refuse(exchange, refusal);
    const parsed = parseJson(await readBody(request, whole.limits));
    if (!parsed.ok)
      return refuse(exchange, {
        httpStatus: 400,
        code: JsonRpcCode.parseError,
        message: `Parse error: ${parsed.reason}`,
      });
    const batch = Array.isArray(parsed.value);
    const messages = (batch ? (parsed.value as readonly JsonValue[]) : [parsed.value]).map(readMessage);
    if (messages.length === 0 || messages.length > MAX_BATCH) {
      return refuse(exchange, {
        httpStatus: 400,
        code: JsonRpcCode.invalidRequest,
        message: `A batch has 1 to ${MAX_BATCH} messages.`,
      });
    }
    const answers = (await Promise.all(messages.map((message) => answer(message, exchange)))).filter(
      (message) => message !== undefined,
    );
    if (answers.length === 0) return void response.writeHead(202).end();
    const invalid = !batch && messages[0]?.kind === "invalid";
    await sendJson(request, response, invalid ? 400 : 200, JSON.stringify(batch ? answers : answers[0]));
  };

  const answer = async (message: JsonRpcMessage, exchange: Exchange): Promise<JsonObject | undefined> => {
    switch (message.kind) {
      case "invalid":
        return errorMessage(message.id, JsonRpcCode.invalidRequest, `Invalid request: ${message.reason}`);
      case "notification":
      case "response":
        return undefined;
      case "request":
        // A tool call is a call of its method, which logs it.
        if (message.method !== "tools/call") log(exchange, message.method);
        try {
          return resultMessage(
            message.id,
            await methods(message.method, message.params, contextOf(exchange, "mcp", INSIDE, whole.logger)),
          );
        } catch (error) {
          if (error instanceof JsonRpcError) return errorMessage(message.id, error.code, error.message);
          whole.logger.error({ err: error, requestId: exchange.requestId }, "an MCP request failed");
          return errorMessage(
            message.id,
            JsonRpcCode.internalError,
            "Internal error. The server's log has the details.",
          );
        }
    }
  };

  const log = ({ requestId, startedAt }: Exchange, method: string, status = "OK"): void => {
    logRequest(whole.logger, whole.clock, { method: `mcp ${method}`, protocol: "mcp", requestId, startedAt }, status);
  };

  const refuse = (exchange: Exchange, { httpStatus, code, message, headers }: Refusal): Promise<void> => {
    const { request, response } = exchange;
    log(exchange, request.method ?? "", "INVALID_ARGUMENT");
    return sendRefusal(request, response, httpStatus, JSON.stringify(errorMessage(null, code, message)), headers);
  };

  const fail = async (exchange: Exchange, error: unknown): Promise<void> => {
    if (exchange.response.destroyed) return;
    if (error instanceof HttpError)
      return refuse(exchange, {
        httpStatus: error.body.error.code,
        code: JsonRpcCode.invalidRequest,
        message: error.message,
      });
    throw error;
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

function refusalOf({ request }: Exchange): Refusal | undefined {
  const { headers, method } = request;
  if (method !== "POST") {
    return {
      httpStatus: 405,
      code: JsonRpcCode.transport,
      message: `Method not allowed: ${method}. Send messages by POST; there are no sessions and no event streams.`,
      headers: { allow: "POST" },
    };
  }
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    return {
      httpStatus: 415,
      code: JsonRpcCode.transport,
      message: "Unsupported media type: Content-Type must be application/json.",
    };
  }
  const version = headers["mcp-protocol-version"];
  if (version !== undefined && !PROTOCOL_VERSIONS.includes(String(version))) {
    return {
      httpStatus: 400,
      code: JsonRpcCode.transport,
      message: `Unsupported protocol version: ${version} (supported versions: ${PROTOCOL_VERSIONS.join(", ")})`,
    };
  }
  return undefined;
}
