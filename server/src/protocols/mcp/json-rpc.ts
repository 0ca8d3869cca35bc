import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Error codes of JSON-RPC 2.0, and the one that MCP servers use for refusals of the transport. */
export const JsonRpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  transport: -32000,
} as const;

/** A refusal of the protocol itself, as against a tool that failed. */
export class JsonRpcError extends Error {
  override readonly name = "JsonRpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type RequestId = string | number;

/** What a client may send. Responses are to requests of the server, which never makes any. */
export type JsonRpcMessage =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "notification"; readonly method: string }
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly reason: string };

/** Reads one message. */
export function readMessage(json: JsonValue): JsonRpcMessage {
  if (!isJsonObject(json)) return { kind: "invalid", id: null, reason: "A message must be a JSON object." };
  const { jsonrpc, id, method, params = {} } = json;
  const known = typeof id === "string" || typeof id === "number" ? id : undefined;
  if (jsonrpc !== "2.0") return { kind: "invalid", id: known ?? null, reason: 'A message must say "jsonrpc": "2.0".' };
  if (method === undefined && ("result" in json || "error" in json)) return { kind: "response" };
  if (typeof method !== "string")
    return { kind: "invalid", id: known ?? null, reason: "A message must name a method." };
  if (!isJsonObject(params)) return { kind: "invalid", id: known ?? null, reason: "params must be an object." };
  if (!("id" in json)) return { kind: "notification", method };
  if (known === undefined) return { kind: "invalid", id: null, reason: "id must be a string or a number." };
  return { kind: "request", id: known, method, params };
}

export function resultMessage(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

export function errorMessage(id: RequestId | null, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
