import type { JsonObject } from "#base";
import type { CallContext } from "#rpc";
import { Code, ConnectError, toErrorBody } from "#status";
import { type EraHeaders, eraOf } from "./envelope.ts";
import {
  errorMessage,
  JsonRpcCode,
  JsonRpcError,
  type JsonRpcMessage,
  type RequestId,
  resultMessage,
} from "./json-rpc.ts";
import type { McpMethods } from "./mcp-methods.ts";
import { progressOf } from "./progress.ts";
import type { Era } from "./revisions.ts";
import type { View } from "./view.ts";

/** What the wire of a message adds to it. */
export interface MessageWire {
  readonly methods: McpMethods;
  /** Headers that tell the revision. Default: the wire has none. */
  readonly headers?: EraHeaders;
  /** What the address asks for. Throws `JsonRpcError`. */
  readonly view: () => View;
  /** Made when a request is answered. */
  readonly context: () => CallContext;
  /** Fires when the client takes the request back. Default: it cannot. */
  readonly takenBack?: AbortSignal | undefined;
  /** Sends a notice that may be lost. Default: none are sent. */
  readonly notify?: ((message: string) => void) | undefined;
  /** Hears what is the server's own fault. */
  readonly onFault: (error: unknown) => void;
}

/** The text of an answer, and what a transport makes a status of. */
export interface MessageAnswer {
  readonly text: string;
  readonly refusal?: MessageRefusal;
}

export type MessageRefusal =
  | { readonly kind: "protocol"; readonly error: JsonRpcError; readonly era: Era }
  | { readonly kind: "unauthenticated" };

/** Answers one message of any wire; undefined for what takes no answer. A request that was taken back takes none either. */
export async function answerMessage(message: JsonRpcMessage, wire: MessageWire): Promise<MessageAnswer | undefined> {
  if (message.kind === "request") return answerRequest(message, wire);
  if (message.kind !== "invalid") return undefined;
  return protocolRefusal(message.id, invalidRequest(`Invalid request: ${message.reason}`), "legacy");
}

/** A message, or a batch, that is none. */
export function invalidRequest(message: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.invalidRequest, message);
}

async function answerRequest(
  { id, method, params }: Extract<JsonRpcMessage, { kind: "request" }>,
  { methods, headers, view, context, takenBack, notify, onFault }: MessageWire,
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
      ...(progress && { progress }),
    });
    return takenBack?.aborted ? undefined : { text: resultMessage(id, result) };
  } catch (error) {
    if (takenBack?.aborted) return undefined;
    if (error instanceof JsonRpcError) return protocolRefusal(id, error, era);
    if (error instanceof ConnectError && error.code === Code.Unauthenticated) return unauthenticated(id, error);
    onFault(error);
    return { text: errorMessage(id, INTERNAL) };
  }
}

function protocolRefusal(id: RequestId | null, error: JsonRpcError, era: Era): MessageAnswer {
  return { text: errorMessage(id, error), refusal: { kind: "protocol", error, era } };
}

/** The one refusal of a tool that is the transport's: a client that gets it can sign in and come again. */
function unauthenticated(id: RequestId, error: ConnectError): MessageAnswer {
  const data = toErrorBody(error) as unknown as JsonObject;
  const text = errorMessage(id, { code: JsonRpcCode.transport, message: error.rawMessage, data });
  return { text, refusal: { kind: "unauthenticated" } };
}

const INTERNAL = new JsonRpcError(JsonRpcCode.internalError, "Internal error. The server's log has the details.");
