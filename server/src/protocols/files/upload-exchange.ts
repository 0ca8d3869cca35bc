import { logFailedRequest, logRequest } from "#rpc";
import type { HttpHandler } from "../contract.ts";
import { type Exchange, openExchange, type resolveDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { sendJson } from "../http/send.ts";
import { sendEarly } from "../http/send-early.ts";
import { renderError } from "../rest/error.ts";

type ResolvedDeps = ReturnType<typeof resolveDeps>;

/** A handler of requests below `/upload/`: answers the JSON that `serve` returns, or its error as REST does. `what`: the files, for the log. */
export function uploadHandler(
  resolved: ResolvedDeps,
  what: string,
  serve: (exchange: Exchange) => Promise<object>,
): HttpHandler {
  const sendError = async (exchange: Exchange, error: unknown): Promise<void> => {
    const { request, response, requestId, startedAt } = exchange;
    const line = { method: `${request.method} ${what}`, protocol: "rest", requestId, startedAt } as const;
    if (error instanceof HttpError) logRequest(resolved.logger, resolved.clock, line, error.body.error.status);
    else logFailedRequest(resolved.logger, resolved.clock, line, error);
    if (response.destroyed) return;
    const { httpStatus, body, headers } = renderError(error);
    await sendEarly(request, response, httpStatus, JSON.stringify(body), headers);
  };
  return (request, response) => {
    const exchange = openExchange(request, response, resolved);
    serve(exchange)
      .then((json) => sendJson(request, response, 200, JSON.stringify(json)))
      .catch((error: unknown) => sendError(exchange, error))
      .catch((error: unknown) => {
        resolved.logger.error({ err: error, requestId: exchange.requestId }, "a response could not be sent");
        response.destroy();
      });
  };
}
