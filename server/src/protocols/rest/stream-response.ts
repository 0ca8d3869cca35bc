import type { ServerResponse } from "node:http";
import type { JsonValue } from "#base";
import { BatchingWriter } from "../http/batching-writer.ts";
import { abort } from "../http/send.ts";
import { UNBUFFERED } from "../http/unbuffered.ts";
import { renderError } from "./error.ts";

/** How the messages of a stream are framed. */
interface Framing {
  readonly contentType: string;
  /** What is before the first message. */
  readonly open: string;
  readonly frame: (text: string, index: number) => string;
  readonly close: (count: number) => string;
  /** What is sent while there is no message (WIRE-49), after `open` or a message; readers pass over it. "" = nothing. */
  readonly heartbeat: (count: number) => string;
  /** Whether the response ends normally after the element of an error, or is aborted. */
  readonly afterError: "end" | "abort";
}

/** One JSON array, read incrementally (WIRE-6): the first byte is the opening bracket, and the closing bracket is the last. */
const ARRAY: Framing = {
  contentType: "application/json; charset=UTF-8",
  open: "[",
  frame: (text, index) => (index === 0 ? text : `,\r\n${text}`),
  close: () => "]",
  heartbeat: () => "\r\n",
  afterError: "abort",
};

/**
 * The same array for clients that read line by line (the Conversational Analytics API; WIRE-7): the separator is a line of its own. After an
 * error the array stays open, which JSON parsers notice, and the response ends normally, because readers of lines would lose what
 * they have.
 */
const LINES: Framing = {
  contentType: "application/json; charset=UTF-8",
  open: "[",
  frame: (text, index) => (index === 0 ? text : `\n,\n${text}`),
  close: (count) => (count === 0 ? "]" : "\n]"),
  // The bracket and the first brace are one line.
  heartbeat: (count) => (count === 0 ? "" : "\n"),
  afterError: "end",
};

const EVENTS: Framing = {
  contentType: "text/event-stream",
  open: "",
  frame: (text) => `data: ${text}\r\n\r\n`,
  close: () => "",
  heartbeat: () => ":\r\n\r\n",
  // Clients handle each event as it arrives, so there is nothing to abort.
  afterError: "end",
};

/** The format of the response. */
interface StreamFormat {
  readonly serverSentEvents: boolean;
  /** Separators on lines of their own, and elements indented unless `pretty` is false. */
  readonly lines: boolean;
  /** `prettyPrint` of the request; undefined when absent. */
  readonly pretty: boolean | undefined;
  /** Milliseconds without a message after which something is sent that means nothing. */
  readonly heartbeatMs: number;
}

/**
 * Sends a stream. An error before anything was sent is thrown: the caller sends it with its HTTP status. A later error is sent as an
 * element, and then an array is aborted: a client that saw it closed would take it for complete.
 */
export async function sendStream(
  messages: AsyncIterable<JsonValue>,
  response: ServerResponse,
  { serverSentEvents, lines, pretty, heartbeatMs }: StreamFormat,
): Promise<void> {
  const framing = serverSentEvents ? EVENTS : lines ? LINES : ARRAY;
  const indent = !serverSentEvents && (pretty ?? lines) ? 2 : 0;
  const textOf = (value: unknown): string => JSON.stringify(value, null, indent);
  const writer = new BatchingWriter(response);
  let count = 0;
  /** The text after what stands before all texts, if it is the first. */
  const opened = (text: string): string => {
    if (response.headersSent) return text;
    begin(response, framing);
    return framing.open + text;
  };
  const timer = setInterval(() => {
    const heartbeat = framing.heartbeat(count);
    if (heartbeat !== "" && !response.destroyed && !response.writableNeedDrain) void writer.write(opened(heartbeat));
  }, heartbeatMs);
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
      timer.refresh();
      const drained = writer.write(opened(framing.frame(textOf(step.value), count++)));
      if (drained) await drained;
      if (response.destroyed) return void (await iterator.return?.());
    }
  } catch (error) {
    if (!response.headersSent) throw error;
    writer.flush();
    return endWithError(response, framing.frame(textOf(renderError(error).body), count), framing.afterError);
  } finally {
    clearInterval(timer);
  }
  response.end(opened(writer.take() + framing.close(count)));
}

function begin(response: ServerResponse, { contentType }: Framing): void {
  response.writeHead(200, {
    "content-type": contentType,
    "cache-control": "no-cache",
    ...UNBUFFERED,
    "x-content-type-options": "nosniff",
  });
}

function endWithError(response: ServerResponse, element: string, after: Framing["afterError"]): void {
  if (response.destroyed) return;
  if (after === "end") response.end(element);
  else response.write(element, () => abort(response));
}
