import { systemIds } from "#base";
import type { HttpHandler, ProtocolDeps } from "../contract.ts";
import { type Exchange, openExchange, resolveDeps } from "../http/exchange.ts";
import { HttpError } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import { write } from "../http/send.ts";
import { headersWithParameters, senderOf } from "../http/sender.ts";
import { sendError } from "../rest/send-error.ts";
import { serveInner } from "./inner-exchange.ts";
import { type BatchPart, parseBatch } from "./parse-batch.ts";

/** Google's limit (cloud.google.com/apis/docs, batch requests). */
const MAX_PARTS = 1_000;

/** Bytes of a batch; each request of it may have a credential of its own. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Requests of a batch that run at once, as one client could. Of answers before which others are sent, the beginning is held. */
const AT_ONCE = 4;

/** Whether a path is that of batches: `/batch`, or with the API behind it. */
export function isBatchPath(path: string): boolean {
  return path === "/batch" || path.startsWith("/batch/");
}

/**
 * Several REST requests in one (WIRE-60), as Google's clients for Python, Ruby and Java send them: parts that are `application/http` in
 * `multipart/mixed`. Each is a call of its own, with its own caller, quota, log line and status, and the answers are in the same order.
 */
export function createBatchHandler(rest: HttpHandler, deps: ProtocolDeps): HttpHandler {
  const resolved = resolveDeps({ ...deps, limits: { ...deps.limits, maxBodyBytes: MAX_BYTES } });
  return (request, response) => {
    const exchange = openExchange(request, response, resolved);
    const serve = async (): Promise<void> => {
      if (request.method !== "POST")
        throw new HttpError(405, "UNIMPLEMENTED", "A batch is sent with POST.", { allow: "POST" });
      const { caller } = await senderOf(exchange, resolved, { headers: headersWithParameters(request), isSafe: true });
      const body = await readBody(request, resolved.limitsOf(caller));
      await answer(exchange, parseBatch(body, request.headers["content-type"], MAX_PARTS), rest);
    };
    serve()
      .catch((error: unknown) => sendError(exchange, error))
      .catch((error: unknown) => {
        deps.logger.error({ err: error, requestId: exchange.requestId }, "a response could not be sent");
        response.destroy();
      });
  };
}

async function answer(exchange: Exchange, parts: readonly BatchPart[], rest: HttpHandler): Promise<void> {
  const { request, response, signal } = exchange;
  const boundary = `batch_${systemIds.uuid()}`;
  response.writeHead(200, { "content-type": `multipart/mixed; boundary=${boundary}` });
  for (let start = 0; start < parts.length && !signal.aborted; start += AT_ONCE) {
    const group = parts.slice(start, start + AT_ONCE);
    const answers = group.map(({ id, ...part }) => ({ id, bytes: serveInner(part, request, signal, rest) }));
    for (const { id, bytes } of answers) {
      await write(response, `--${boundary}\r\n${headOf(id)}\r\n`);
      let isGivenUp = true;
      for await (const chunk of bytes) {
        isGivenUp = false;
        await write(response, chunk);
      }
      await write(response, isGivenUp ? `${GIVEN_UP}\r\n` : "\r\n");
    }
  }
  response.end(`--${boundary}--\r\n`);
}

/** Clients find the answer of a request by the id that they gave it. */
function headOf(id: string | undefined): string {
  const answered = id?.startsWith("<") ? `<response-${id.slice(1)}` : `response-${id}`;
  return `Content-Type: application/http\r\n${id === undefined ? "" : `Content-ID: ${answered}\r\n`}`;
}

/** In place of a response that broke off before its first byte. */
const GIVEN_UP = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
