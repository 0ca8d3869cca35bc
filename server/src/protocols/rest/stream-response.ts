import type { ServerResponse } from "node:http";
import type { JsonValue } from "#base";
import { Outbox } from "../http/outbox.ts";
import { abort } from "../http/send.ts";
import { renderError } from "./error.ts";

/** How a stream of messages becomes bytes. */
interface Framing {
  readonly contentType: string;
  readonly frame: (text: string, index: number) => string;
  readonly end: (count: number) => string;
  /** Whether a failure is the last element of an answer that ends like any other, or of one that is cut off. */
  readonly afterFailure: "end" | "cut off";
}

/** One JSON array. Clients read it as it comes: the first byte is the bracket and nothing follows the last one. */
const ARRAY: Framing = {
  contentType: "application/json; charset=UTF-8",
  frame: (text, index) => (index === 0 ? `[${text}` : `,\r\n${text}`),
  end: (count) => (count === 0 ? "[]" : "]"),
  afterFailure: "cut off",
};

/**
 * The same array for clients that read line by line (the Conversational Analytics API): what stands between elements is a line of
 * its own. After a failure the array stays open, which those who parse it notice, and the answer ends in good order, because
 * those who read lines would lose what they have.
 */
const LINES: Framing = {
  contentType: "application/json; charset=UTF-8",
  frame: (text, index) => (index === 0 ? `[${text}` : `\n,\n${text}`),
  end: (count) => (count === 0 ? "[]" : "\n]"),
  afterFailure: "end",
};

const EVENTS: Framing = {
  contentType: "text/event-stream",
  frame: (text) => `data: ${text}\r\n\r\n`,
  end: () => "",
  // An event is seen as it comes, so there is nothing to cut off.
  afterFailure: "end",
};

/** What the answer's bytes depend on. */
export interface StreamForm {
  readonly serverSentEvents: boolean;
  /** Elements apart by lines of their own, and indented unless `pretty` says otherwise. */
  readonly lines: boolean;
  /** As the client asked; undefined when it did not. */
  readonly pretty: boolean | undefined;
}

/**
 * Sends a stream. An error before the first message is thrown, for the caller to answer with its HTTP status. A later
 * one is sent as an element, and then an array is cut off: a client that saw it closed would take it for whole.
 */
export async function sendStream(
  messages: AsyncIterable<JsonValue>,
  response: ServerResponse,
  { serverSentEvents, lines, pretty }: StreamForm,
): Promise<void> {
  const framing = serverSentEvents ? EVENTS : lines ? LINES : ARRAY;
  const indent = !serverSentEvents && (pretty ?? lines) ? 2 : 0;
  const textOf = (value: unknown): string => JSON.stringify(value, null, indent);
  const iterator = messages[Symbol.asyncIterator]();
  let step = await iterator.next();
  let count = 0;
  response.writeHead(200, {
    "content-type": framing.contentType,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  });
  const outbox = new Outbox(response);
  try {
    for (; !step.done; step = await iterator.next()) {
      const full = outbox.put(framing.frame(textOf(step.value), count++));
      if (full) await full;
      if (response.destroyed) return void (await iterator.return?.());
    }
  } catch (error) {
    outbox.flush();
    return breakOff(response, framing.frame(textOf(renderError(error).body), count), framing.afterFailure);
  }
  response.end(outbox.take() + framing.end(count));
}

function breakOff(response: ServerResponse, element: string, after: Framing["afterFailure"]): void {
  if (response.destroyed) return;
  if (after === "end") response.end(element);
  else response.write(element, () => abort(response));
}
