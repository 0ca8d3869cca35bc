import type { EgressStream } from "#base";
import type { OutboundRequest } from "./contract.ts";

/** Statuses whose answers have no body (the Fetch standard). */
const EMPTY = new Set([101, 204, 205, 304]);

/** The web's `fetch` over the gate. Bodies of requests are read first, those of answers come as they arrive. */
export function createWebFetch(
  open: (request: Omit<OutboundRequest, "timeoutMs">, signal: AbortSignal) => Promise<EgressStream>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // A request's own signal goes deaf when the request is collected, which may be before its answer has ended: the caller's
    // is taken.
    const left = new AbortController();
    const callers = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const signal = callers ? AbortSignal.any([callers, left.signal]) : left.signal;
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    const answer = await open(
      {
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        ...(body && { body }),
        followRedirects: request.redirect === "follow",
      },
      signal,
    );
    return new Response(EMPTY.has(answer.status) ? null : bodyOf(answer, left), {
      status: answer.status,
      statusText: answer.statusText,
      headers: answer.headers,
    });
  };
}

/** Leaving a body early ends the exchange. */
function bodyOf({ body }: EgressStream, left: AbortController): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => left.abort(),
  });
}
