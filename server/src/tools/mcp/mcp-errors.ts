import type { JsonValue } from "#base";
import { outboundErrorMessage, quoteResponse } from "../outbound-errors.ts";

/**
 * Why a server could not be used, without a full stop: the message of an `OutboundError` among the causes, else what the server
 * answered. The library's errors are recognized by shape, because its classes are loaded on first use.
 */
export function mcpErrorMessage(error: unknown, timeoutMs: number): string {
  const outboundError = outboundErrorMessage(error);
  if (outboundError) return outboundError;
  const { code, message = String(error) } = error as LibraryError;
  switch (code) {
    case "REQUEST_TIMEOUT":
      return `the server did not answer within ${timeoutMs} ms`;
    case "UNSUPPORTED_RESULT_TYPE":
      return "the server asks for input, which this client does not support";
    case "CONNECTION_CLOSED":
      return "the server closed the connection";
  }
  const { status, text: said } = answerOf(error);
  const text = withoutLibraryPrefix(said ?? message);
  if (status === undefined) return text;
  if (status >= 300 && status < 400) return `HTTP ${status}: the server redirects, which is not followed`;
  return `HTTP ${status}${text && ": "}${text}`;
}

/** The library's message without its prefix, and without the list of schema violations. */
function withoutLibraryPrefix(message: string): string {
  const text = message.replace(/^Version negotiation probe failed: /, "");
  return /^\[\s*\{\s*"(code|expected)"/.test(text)
    ? "the server's response is not an MCP message (JSON-RPC 2.0)"
    : quoteResponse(text);
}

/**
 * Whether the server no longer knows the session: 404 by the specification, 400 with the word "session" from servers that follow the
 * specification's example code. Either way it has not executed the request.
 */
export function isSessionExpired(error: unknown): boolean {
  const { status, text = "" } = answerOf(error);
  return status === 404 || (status === 400 && /\bsession\b/i.test(text));
}

/** Whether the server refused the caller. */
export function isUnauthorized(error: unknown): boolean {
  const { status } = answerOf(error);
  return status === 401 || status === 403;
}

/** Whether the server answered with a JSON-RPC error (numeric code), which leaves the connection usable. */
export function isProtocolError(error: unknown): boolean {
  return typeof (error as LibraryError).code === "number";
}

/** What a JSON-RPC error has besides its message; undefined for other errors. */
export function protocolErrorData(error: unknown): JsonValue | undefined {
  // The error was parsed from JSON.
  return isProtocolError(error) ? ((error as LibraryError).data as JsonValue | undefined) : undefined;
}

/** The HTTP response in place of a message. The data of a JSON-RPC error may have the same names, and says nothing of the connection (MCP-14). */
function answerOf(error: unknown): { readonly status?: number; readonly text?: string } {
  const { data } = error as LibraryError;
  return isProtocolError(error) || typeof data !== "object" || data === null ? {} : data;
}

interface LibraryError {
  readonly code?: string | number;
  readonly message?: string;
  readonly data?: unknown;
}
