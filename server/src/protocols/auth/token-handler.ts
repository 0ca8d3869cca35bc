import type { TokenEndpoint } from "#identity";
import { logFailedRequest, logRequest } from "#rpc";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { type Exchange, openExchange, resolveDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { sendJson } from "../http/send.ts";
import { sendEarly } from "../http/send-early.ts";

/** Largest form, bytes: two tokens, and room. */
const MAX_FORM = 64 * 1024;

/** Answers must not be cached (RFC 6749, 5.1). */
const HEADERS = { "cache-control": "no-store", pragma: "no-cache" };

/** `POST /token`: forms become tokens (RFC 6749, 3.2). */
export function createTokenHandler(tokenEndpoint: TokenEndpoint, deps: ProtocolDeps): HttpHandler {
  const resolved = resolveDeps({ ...deps, limits: { maxBodyBytes: MAX_FORM, bodyTimeoutMs: 10_000 } });
  const lineOf = ({ requestId, startedAt }: Exchange) =>
    ({ method: "POST /token", protocol: "rest", requestId, startedAt }) as const;

  const serve = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    checkRequest(request.method, request.headers["content-type"]);
    const form = new URLSearchParams((await readBody(request, resolved.limits)).toString());
    const { httpStatus, body } = await tokenEndpoint(form);
    logRequest(resolved.logger, resolved.clock, lineOf(exchange), httpStatus === 200 ? "OK" : String(body.error));
    await sendJson(request, response, httpStatus, JSON.stringify(body), HEADERS);
  };

  const sendError = async (exchange: Exchange, error: unknown): Promise<void> => {
    const { request, response } = exchange;
    if (response.destroyed) return;
    const isHttp = error instanceof HttpError;
    if (!isHttp) logFailedRequest(resolved.logger, resolved.clock, lineOf(exchange), error);
    const status = isHttp ? error.body.error.code : 500;
    const body = {
      error: isHttp ? "invalid_request" : "server_error",
      ...(isHttp && { error_description: error.message }),
    };
    await sendEarly(request, response, status, JSON.stringify(body), { ...HEADERS, ...(isHttp && error.headers) });
  };

  return (request, response) => {
    const exchange = openExchange(request, response, resolved);
    serve(exchange)
      .catch((error: unknown) => sendError(exchange, error))
      .catch((error: unknown) => {
        resolved.logger.error({ err: error, requestId: exchange.requestId }, "a response could not be sent");
        response.destroy();
      });
  };
}

function checkRequest(method = "", contentType = ""): void {
  if (method !== "POST")
    throw new HttpError(405, "UNIMPLEMENTED", `${method} is not allowed here; send a form with POST.`, {
      allow: "POST",
    });
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType))
    throw new HttpError(415, "INVALID_ARGUMENT", "Content-Type must be application/x-www-form-urlencoded.");
}
