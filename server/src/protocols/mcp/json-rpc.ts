import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Error codes of JSON-RPC 2.0, and those that MCP adds (revision 2026-07-28, section "Error codes"). */
export const JsonRpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  transport: -32000,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** An error of the protocol, as opposed to a tool that failed. */
export class JsonRpcError extends Error {
  override readonly name = "JsonRpcError";
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RequestId = string | number;

/** A message of a client. Responses are ignored: the server sends no requests. */
export type JsonRpcMessage =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly reason: string };

/** Parses one message. */
export function readMessage(json: JsonValue): JsonRpcMessage {
  if (!isJsonObject(json)) return { kind: "invalid", id: null, reason: "A message must be a JSON object." };
  const { jsonrpc, id, method, params = {} } = json;
  const known = typeof id === "string" || typeof id === "number" ? id : undefined;
  if (jsonrpc !== "2.0") return { kind: "invalid", id: known ?? null, reason: 'A message must have "jsonrpc": "2.0".' };
  if (method === undefined && ("result" in json || "error" in json)) return { kind: "response" };
  if (typeof method !== "string")
    return { kind: "invalid", id: known ?? null, reason: "A message must have a method." };
  if (!isJsonObject(params)) return { kind: "invalid", id: known ?? null, reason: "params must be an object." };
  if (!("id" in json)) return { kind: "notification", method, params };
  if (known === undefined) return { kind: "invalid", id: null, reason: "id must be a string or a number." };
  return { kind: "request", id: known, method, params };
}

/** The text of a response, from the text of its result: a large result is rendered once and not parsed again. */
export function resultMessage(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** The text of an error response. */
export function errorMessage(
  id: RequestId | null,
  { code, message, data }: Pick<JsonRpcError, "code" | "message" | "data">,
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...definedFields({ data }) } });
}
