import { isJsonObject, type JsonObject } from "#base";
import type { CallContext } from "#rpc";
import { ConnectError, challengeOf, toErrorBody } from "#status";
import {
  errorMessage,
  JsonRpcCode,
  JsonRpcError,
  type JsonRpcMessage,
  type RequestId,
  resultMessage,
} from "./json-rpc.ts";
import type { McpMethods } from "./mcp-methods.ts";
import { eraOf, type McpHeaders } from "./request-era.ts";
import type { Era } from "./revisions.ts";
import type { Progress } from "./tool.ts";
import type { View } from "./view.ts";

/** What the transport of a message adds to it. */
export interface MessageTransport {
  readonly methods: McpMethods;
  /** MCP headers. Default: the transport has none. */
  readonly headers?: McpHeaders;
  /** The view of the address. Throws `JsonRpcError`. */
  readonly view: () => View;
  /** Called for each request. */
  readonly context: () => CallContext;
  /** Aborted when the client cancels the request. Default: it cannot. */
  readonly cancelSignal?: AbortSignal | undefined;
  /** Sends a notification that may be lost. Default: none are sent. */
  readonly notify?: ((message: string) => void) | undefined;
  /** Gets errors that are faults of this server. */
  readonly onFault: (error: unknown) => void;
}

/** The text of a response, and the error from which a transport derives its status. */
interface MessageAnswer {
  readonly text: string;
  readonly error?: MessageError;
}

type MessageError =
  | { readonly kind: "protocol"; readonly error: JsonRpcError; readonly era: Era }
  | { readonly kind: "challenge"; readonly cause: ConnectError };

/** The response to one message of any transport; undefined for messages without one, and for cancelled requests. */
export async function answerMessage(
  message: JsonRpcMessage,
  wire: MessageTransport,
): Promise<MessageAnswer | undefined> {
  if (message.kind === "request") return answerRequest(message, wire);
  if (message.kind !== "invalid") return undefined;
  return protocolError(message.id, invalidRequest(`Invalid request: ${message.reason}`), "legacy");
}

/** The error of an invalid message or batch. */
export function invalidRequest(message: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidRequest, message);
}

async function answerRequest(
  { id, method, params }: Extract<JsonRpcMessage, { kind: "request" }>,
  { methods, headers, view, context, cancelSignal, notify, onFault }: MessageTransport,
): Promise<MessageAnswer | undefined> {
  let era: Era = "legacy";
  try {
    era = eraOf(method, params, headers);
    const progress = notify && progressOf(params, notify);
    const result = await methods({
      method,
      params,
      era,
      view: view(),
      context: context(),
      progress,
    });
    return cancelSignal?.aborted ? undefined : { text: resultMessage(id, result) };
  } catch (error) {
    if (cancelSignal?.aborted) return undefined;
    if (error instanceof JsonRpcError) return protocolError(id, error, era);
    if (error instanceof ConnectError && challengeOf(error) !== undefined) return challenge(id, error);
    onFault(error);
    return { text: errorMessage(id, INTERNAL) };
  }
}

function protocolError(id: RequestId | null, error: JsonRpcError, era: Era): MessageAnswer {
  return { text: errorMessage(id, error), error: { kind: "protocol", error, era } };
}

/** The errors of a tool that the transport handles: HTTP clients get 401 or 403, sign in or ask for a scope, and try again. */
function challenge(id: RequestId, error: ConnectError): MessageAnswer {
  const data = toErrorBody(error) as unknown as JsonObject;
  const text = errorMessage(id, { code: JsonRpcCode.transport, message: error.rawMessage, data });
  return { text, error: { kind: "challenge", cause: error } };
}

const INTERNAL = new JsonRpcError(JsonRpcCode.internalError, "Internal error. The server's log has the details.");

/** Longest text of a progress notification, characters: people read it as one line. */
const MAX_PROGRESS_TEXT = 500;

/** Progress notifications for the token of a request; undefined when it has none. */
function progressOf({ _meta }: JsonObject, send: (message: string) => void): Progress | undefined {
  const token = isJsonObject(_meta) ? _meta.progressToken : undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  let count = 0;
  return (message) => {
    count += 1;
    const params = { progressToken: token, progress: count, message: message.slice(0, MAX_PROGRESS_TEXT) };
    send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }));
  };
}
