import { definedFields, type EgressStream } from "#base";
import type { OutboundRequest } from "./contract.ts";

/** Null body statuses (the Fetch standard). */
const NULL_BODY_STATUSES = new Set([101, 204, 205, 304]);

/** The web's `fetch` over the egress gate. A request body is read whole before it is sent; a response body is streamed. */
export function createWebFetch(
  open: (request: Omit<OutboundRequest, "timeoutMs">, signal: AbortSignal) => Promise<EgressStream>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // A Request's own signal stops firing when the Request is garbage collected, which may happen before the response ends. So
    // the caller's signal is used.
    const cancelled = new AbortController();
    const callerSignal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const signal = callerSignal ? AbortSignal.any([callerSignal, cancelled.signal]) : cancelled.signal;
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    const response = await open(
      {
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        ...definedFields({ body }),
        followRedirects: request.redirect === "follow",
      },
      signal,
    );
    return new Response(NULL_BODY_STATUSES.has(response.status) ? null : bodyOf(response, cancelled), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** Cancelling the body aborts the request. */
function bodyOf({ body }: EgressStream, cancelled: AbortController): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => cancelled.abort(),
  });
}
