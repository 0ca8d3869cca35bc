import type { JsonObject, JsonValue } from "#base";
import { createCallContext, INSIDE, type Registry } from "#rpc";
import { Code, ConnectError, toErrorBody } from "#status";
import type { ProtocolDeps } from "../contract.ts";
import { shortId, wholeDeps } from "../http/exchange.ts";
import { eraOf } from "./envelope.ts";
import {
  errorMessage,
  JsonRpcCode,
  JsonRpcError,
  type JsonRpcMessage,
  readMessage,
  resultMessage,
} from "./json-rpc.ts";
import { createMcpMethods } from "./mcp-methods.ts";
import type { AnswerLine } from "./message-lines.ts";
import { progressOf } from "./progress.ts";
import { ANALYTICS, CES } from "./surface.ts";
import { viewOf } from "./view.ts";

export interface AnswerLinesDeps extends ProtocolDeps {
  /** Product version that clients are told. */
  readonly version: string;
  /** What an endpoint's address would say: `/mcp` or `/mcp/analytics`, and a query. Default `/mcp`. */
  readonly endpoint?: string;
}

/** The server's answers for `serveLines`: the same methods as over HTTP, for one client on this machine. Throws for a wrong endpoint. */
export function createAnswerLines(registry: Registry, deps: AnswerLinesDeps): AnswerLine {
  const { ids, logger } = wholeDeps(deps);
  const address = new URL(deps.endpoint ?? CES.path, "http://localhost");
  const surface = [CES, ANALYTICS].find(({ path }) => path === address.pathname);
  if (!surface) throw new Error(`There is no MCP endpoint ${address.pathname}; use ${CES.path} or ${ANALYTICS.path}.`);
  const view = viewOf(address.searchParams);
  const methods = createMcpMethods(registry, surface, deps.version);

  const answer = async (
    message: JsonRpcMessage,
    signal: AbortSignal,
    notify: (line: string) => void,
  ): Promise<string | undefined> => {
    if (message.kind === "invalid") return errorMessage(message.id, invalid(message.reason));
    if (message.kind !== "request") return undefined;
    const { id, method, params } = message;
    try {
      const era = eraOf(method, params, undefined);
      const progress = progressOf(params, notify);
      const call = {
        signal,
        revision: INSIDE,
        protocol: "mcp" as const,
        headers: new Map<string, string>(),
        requestId: shortId(ids),
      };
      const context = createCallContext(call, logger);
      const result = await methods({ method, params, era, view, context, ...(progress && { progress }) });
      // Nobody waits for the answer of a message that was taken back.
      return signal.aborted ? undefined : resultMessage(id, result);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof JsonRpcError) return errorMessage(id, error);
      if (error instanceof ConnectError && error.code === Code.Unauthenticated) return errorMessage(id, refused(error));
      logger.error({ err: error }, "an MCP request failed");
      return errorMessage(id, INTERNAL);
    }
  };

  return async (json: JsonValue, signal, send, notify) => {
    if (!Array.isArray(json)) {
      const line = await answer(readMessage(json), signal, notify);
      if (line !== undefined) send(line);
      return;
    }
    const lines = await Promise.all(json.map((each) => answer(readMessage(each), signal, notify)));
    const told = lines.filter((line) => line !== undefined);
    if (json.length === 0) send(errorMessage(null, invalid("A batch has at least one message.")));
    else if (told.length > 0) send(`[${told.join(",")}]`);
  };
}

function invalid(reason: string) {
  return { code: JsonRpcCode.invalidRequest, message: `Invalid request: ${reason}`, data: undefined };
}

function refused(error: ConnectError) {
  return { code: JsonRpcCode.transport, message: error.rawMessage, data: toErrorBody(error) as unknown as JsonObject };
}

const INTERNAL = {
  code: JsonRpcCode.internalError,
  message: "Internal error. The server's log has the details.",
  data: undefined,
};
