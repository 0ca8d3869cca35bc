import { type JsonValue, OPERATOR } from "#base";
import { createCallContext, INTERNAL_REVISION, type Registry } from "#rpc";
import type { ProtocolDeps } from "../contract.ts";
import { resolveDeps, shortId } from "../http/exchange.ts";
import { answerMessage, invalidRequest, type MessageTransport } from "./answer-message.ts";
import { errorMessage, readMessage } from "./json-rpc.ts";
import { createMcpMethods } from "./mcp-methods.ts";
import type { LineHandler } from "./stdio.ts";
import { ANALYTICS, CES } from "./surface.ts";
import { viewOf } from "./view.ts";

interface StdioHandlerDeps extends ProtocolDeps {
  /** Product version in `serverInfo`. */
  readonly version: string;
  /** Path and query of the endpoint: `/mcp` or `/mcp/analytics`, and a query. Default `/mcp`. */
  readonly endpoint?: string;
}

/** Answers the lines of `serveStdio` with the methods of an endpoint, for one client on this machine. Throws for an unknown endpoint. */
export function createStdioHandler(registry: Registry, deps: StdioHandlerDeps): LineHandler {
  const { ids, logger } = resolveDeps(deps);
  const address = new URL(deps.endpoint ?? CES.path, "http://localhost");
  const surface = [CES, ANALYTICS].find(({ path }) => path === address.pathname);
  if (!surface) throw new Error(`There is no MCP endpoint ${address.pathname}; use ${CES.path} or ${ANALYTICS.path}.`);
  const view = viewOf(address.searchParams);
  const methods = createMcpMethods(registry, surface, deps.version);

  const transportOf = (signal: AbortSignal, notify: (line: string) => void): MessageTransport => ({
    methods,
    view: () => view,
    context: () => {
      const headers = new Map<string, string>();
      return createCallContext(
        { signal, revision: INTERNAL_REVISION, protocol: "mcp", headers, requestId: shortId(ids), caller: OPERATOR },
        logger,
      );
    },
    cancelSignal: signal,
    notify,
    onFault: (error) => logger.error({ err: error }, "an MCP request failed"),
  });

  return async (json: JsonValue, signal, send, notify) => {
    const transport = transportOf(signal, notify);
    if (!Array.isArray(json)) {
      const answer = await answerMessage(readMessage(json), transport);
      if (answer) send(answer.text);
      return;
    }
    const answers = await Promise.all(json.map((each) => answerMessage(readMessage(each), transport)));
    const texts = answers.flatMap((answer) => (answer ? [answer.text] : []));
    if (json.length === 0) send(errorMessage(null, invalidRequest("A batch has at least one message.")));
    else if (texts.length > 0) send(`[${texts.join(",")}]`);
  };
}
