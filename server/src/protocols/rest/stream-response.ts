import type { ServerResponse } from "node:http";
import type { JsonValue } from "#base";
import { abort, write } from "../http/send.ts";
import { renderError } from "./error.ts";

/** How a stream of messages becomes bytes. */
interface Framing {
  readonly contentType: string;
  readonly frame: (text: string, index: number) => string;
  readonly end: (count: number) => string;
}

/** One JSON array. Clients read it as it comes: the first byte is the bracket and nothing follows the last one. */
const ARRAY: Framing = {
  contentType: "application/json; charset=UTF-8",
  frame: (text, index) => (index === 0 ? `[${text}` : `,\r\n${text}`),
  end: (count) => (count === 0 ? "[]" : "]"),
};

const EVENTS: Framing = {
  contentType: "text/event-stream",
  frame: (text) => `data: ${text}\r\n\r\n`,
  end: () => "",
};

/**
 * Sends a stream. An error before the first message is thrown, for the caller to answer with its HTTP status. A later
 * one is sent as an element, and then an array is cut off: a client that saw it closed would take it for whole.
 */
export async function sendStream(
  messages: AsyncIterable<JsonValue>,
  response: ServerResponse,
  { serverSentEvents, pretty }: { readonly serverSentEvents: boolean; readonly pretty: boolean },
): Promise<void> {
  const framing = serverSentEvents ? EVENTS : ARRAY;
  const iterator = messages[Symbol.asyncIterator]();
  let step = await iterator.next();
  let count = 0;
  response.writeHead(200, {
    "content-type": framing.contentType,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  });
  try {
    for (; !step.done; step = await iterator.next()) {
      await write(response, framing.frame(JSON.stringify(step.value, null, pretty ? 2 : 0), count++));
      if (response.destroyed) return void (await iterator.return?.());
    }
  } catch (error) {
    return breakOff(response, framing.frame(JSON.stringify(renderError(error).body), count), serverSentEvents);
  }
  response.end(framing.end(count));
}

function breakOff(response: ServerResponse, element: string, serverSentEvents: boolean): void {
  if (response.destroyed) return;
  // An event is seen as it comes, so there is nothing to cut off.
  if (serverSentEvents) response.end(element);
  else response.write(element, () => abort(response));
}
