import type { JsonValue } from "#base";
import { createCallContext, INTERNAL_REVISION, type Registry } from "#rpc";
import type { ProtocolDeps } from "../contract.ts";
import { shortId, wholeDeps } from "../http/exchange.ts";
import { answerMessage, invalidRequest, type MessageWire } from "./answer-message.ts";
import { errorMessage, readMessage } from "./json-rpc.ts";
import { createMcpMethods } from "./mcp-methods.ts";
import type { AnswerLine } from "./message-lines.ts";
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

  const wireOf = (signal: AbortSignal, notify: (line: string) => void): MessageWire => ({
    methods,
    view: () => view,
    context: () => {
      const headers = new Map<string, string>();
      return createCallContext(
        { signal, revision: INTERNAL_REVISION, protocol: "mcp", headers, requestId: shortId(ids) },
        logger,
      );
    },
    takenBack: signal,
    notify,
    onFault: (error) => logger.error({ err: error }, "an MCP request failed"),
  });

  return async (json: JsonValue, signal, send, notify) => {
    const wire = wireOf(signal, notify);
    if (!Array.isArray(json)) {
      const answer = await answerMessage(readMessage(json), wire);
      if (answer) send(answer.text);
      return;
    }
    const answers = await Promise.all(json.map((each) => answerMessage(readMessage(each), wire)));
    const told = answers.flatMap((answer) => (answer ? [answer.text] : []));
    if (json.length === 0) send(errorMessage(null, invalidRequest("A batch has at least one message.")));
    else if (told.length > 0) send(`[${told.join(",")}]`);
  };
}
