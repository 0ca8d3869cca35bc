import type { IncomingMessage } from "node:http";
import type { AgentCard } from "@frontdesk/protos/a2a/a2a";
import { createMessageJson, logFailedRequest, type Registry } from "#rpc";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { type Exchange, openExchange, resolveDeps, type Sender } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { requestPath } from "../http/request-target.ts";
import { sendEarly } from "../http/send-early.ts";
import { senderOf } from "../http/sender.ts";
import { createJsonDecoder } from "../json/decode-json.ts";
import { renderError } from "../rest/error.ts";
import { createRestHandler } from "../rest/rest-handler.ts";
import { type CardForm, sendCard } from "./card-response.ts";
import { withRequiredFields } from "./complete-json.ts";
import { requireJson } from "./content-type.ts";
import { serveJsonRpc } from "./json-rpc.ts";
import { createLegacyMethods } from "./legacy.ts";
import { a2aRules } from "./rules.ts";

interface A2aHandlerDeps extends ProtocolDeps {
  /** The public card of an agent as its reader may see it; `tenant` is "" for the agent of this address. Rejects with a status error. */
  readonly card: (
    tenant: string,
    reader: Pick<Sender, "caller" | "peer"> & { host: string | undefined },
  ) => Promise<AgentCard>;
  /** What readers get that name no version. */
  readonly cards: CardForm;
}

/** Whether a path is that of an agent, or of the card of this server: where clients look for cards (A2A 1.0, section 8.2). */
export function isA2aPath(path: string): boolean {
  return path === "/a2a" || path.startsWith("/a2a/") || (path.startsWith("/.well-known/") && AGENT_PATH.test(path));
}

/**
 * The A2A protocol over HTTP, below `/a2a` and `/a2a/{agent}`, where an agent is the resource name of an app, a version or a deployment: its
 * card, JSON-RPC by POST to the address itself, and HTTP+JSON below it. gRPC is served like any service.
 */
export function createA2aHandler(registry: Registry, deps: A2aHandlerDeps): HttpHandler {
  const resolved = resolveDeps(deps);
  const decode = createJsonDecoder(registry.types, { strict: false });
  const jsonRpc = {
    registry,
    decode,
    deps: resolved,
    messageJson: createMessageJson(registry.types),
    legacy: createLegacyMethods({ registry, decode }),
  };
  const rest = createRestHandler(registry, {
    ...deps,
    rules: a2aRules(registry),
    dialect: {
      contentType: "application/a2a+json",
      onlyEvents: true,
      checkType: requireJson,
      complete: withRequiredFields,
    },
  });
  return (request, response) => {
    const path = requestPath(request);
    const agent = AGENT_PATH.exec(path);
    if (agent && (request.method === "POST" || agent[2])) {
      const exchange = openExchange(request, response, resolved);
      const tenant = unescaped(agent[1] ?? "");
      const served = agent[2] ? serveCard(exchange, tenant, deps) : serveJsonRpc(exchange, tenant, jsonRpc);
      return void served.catch((error: unknown) => {
        deps.logger.error({ err: error, requestId: exchange.requestId }, "a response could not be sent");
        response.destroy();
      });
    }
    if (NAMELESS_CARD.test(path)) {
      const { body } = new HttpError(404, "NOT_FOUND", NO_NAME);
      return void sendEarly(request, response, 404, JSON.stringify(body));
    }
    moveVersionToHeader(request);
    rest(request, response);
  };
}

/** The address of an agent, or of its card: also behind that of the card itself, where clients look that were given it (A2A-26). */
const AGENT_PATH =
  /^(?:\/a2a)?(?:\/(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/:]+(?:\/(?:versions|deployments)\/[^/:]+)?))?(?:\/?$|((?:\/\.well-known(?:\/agent-card\.json)?)?\/\.well-known\/agent(?:-card)?\.json)\/?$)/;

/** Where a client looks for a card that takes the last part of an address for a file. */
const NAMELESS_CARD = /\/(?:apps|versions|deployments)\/\.well-known\/agent(?:-card)?\.json\/?$/;

const NO_NAME =
  "There is no agent's name in this address: its client left it out. Give it the agent's address with a slash at its end, or that of the card.";

async function serveCard(exchange: Exchange, tenant: string, deps: A2aHandlerDeps): Promise<void> {
  const { request, response, requestId, startedAt } = exchange;
  const resolved = resolveDeps(deps);
  try {
    const { caller, peer, headers } = await senderOf(exchange, resolved);
    const host = headers.get("host") ?? headers.get(":authority");
    await sendCard(exchange, await deps.card(tenant, { caller, peer, host }), caller, deps.cards);
  } catch (error) {
    const entry = { method: "GET agent-card.json", protocol: "a2a", requestId, startedAt } as const;
    logFailedRequest(resolved.logger, resolved.clock, entry, error);
    const { httpStatus, body, headers } = renderError(error);
    await sendEarly(request, response, httpStatus, JSON.stringify(body), headers);
  }
}

/** A name with a malformed escape is the name of nothing. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The version may be a parameter of the address (A2A 1.0, section 3.6.1). */
function moveVersionToHeader(request: IncomingMessage): void {
  const { url = "/" } = request;
  const mark = url.indexOf("?");
  if (mark < 0) return;
  const query = new URLSearchParams(url.slice(mark + 1));
  const version = query.get("A2A-Version");
  if (version === null) return;
  query.delete("A2A-Version");
  request.headers["a2a-version"] ??= version;
  request.url = query.size === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${query}`;
}
