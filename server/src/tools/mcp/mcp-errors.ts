import { outboundErrorMessage, quoteResponse } from "../outbound-errors.ts";

/**
 * What went wrong with a server, in one sentence: our own refusal when there is one underneath, else what the server answered.
 * The library's errors are read by their shape, because its classes are loaded with the first server.
 */
export function mcpErrorMessage(error: unknown, timeoutMs: number): string {
  const own = outboundErrorMessage(error);
  if (own) return own;
  const { code, message = String(error), data } = error as LibraryError;
  switch (code) {
    case "REQUEST_TIMEOUT":
      return `the server did not answer within ${timeoutMs} ms`;
    case "UNSUPPORTED_RESULT_TYPE":
      return "the server asks for input, which nobody here can give";
    case "CONNECTION_CLOSED":
      return "the server closed the connection";
  }
  const said = wordsOf(data?.text ?? message);
  if (data?.status === undefined) return said;
  if (data.status >= 300 && data.status < 400)
    return `HTTP ${data.status}: the server redirects, which is not followed`;
  return `HTTP ${data.status}${said && ": "}${said}`;
}

/** The library's words without its own step, and without the list of what its schemas missed. */
function wordsOf(message: string): string {
  const said = message.replace(/^Version negotiation probe failed: /, "");
  return /^\[\s*\{\s*"(code|expected)"/.test(said)
    ? "the server's answer is no message of MCP (JSON-RPC 2.0)"
    : quoteResponse(said);
}

/**
 * Whether the server has forgotten the session that it gave out: 404 by the book, 400 that speaks of the session from servers
 * written after the protocol's own example. Either way it has not done what it was asked.
 */
export function isSessionExpired(error: unknown): boolean {
  const { status, text = "" } = (error as LibraryError).data ?? {};
  return status === 404 || (status === 400 && /\bsession\b/i.test(text));
}

/** Whether the server itself answered an error of the protocol (JSON-RPC codes are numbers): the connection is sound. */
export function isServerError(error: unknown): boolean {
  return typeof (error as LibraryError).code === "number";
}

interface LibraryError {
  readonly code?: string | number;
  readonly message?: string;
  readonly data?: { readonly status?: number; readonly text?: string };
}
