import type { ServerResponse } from "node:http";

/** How long a client may take to read the response, milliseconds, before its connection is destroyed. */
const READ_TIMEOUT_MS = 30_000;

import { UNBUFFERED } from "../http/unbuffered.ts";

/** A response of several messages, as server-sent events (`text/event-stream`). */
export interface EventStream {
  /** Whether a message was sent: then the response must be sent here too. */
  readonly begun: boolean;
  /** Sends a message, or drops it when the client reads too slowly. */
  offer(message: string): void;
  /** Sends the last message and ends. */
  finish(message: string): void;
}

/** Sends its headers with the first message, so that a call without progress can still get plain JSON. */
export function createEventStream(response: ServerResponse): EventStream {
  const begin = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      ...UNBUFFERED,
      "x-content-type-options": "nosniff",
    });
  };
  return {
    get begun() {
      return response.headersSent;
    },
    offer: (message) => {
      if (response.destroyed || response.writableEnded || response.writableNeedDrain) return;
      begin();
      response.write(eventOf(message));
    },
    finish: (message) => {
      if (response.destroyed) return;
      begin();
      const timer = setTimeout(() => response.destroy(), READ_TIMEOUT_MS);
      timer.unref();
      response.once("close", () => clearTimeout(timer));
      response.end(eventOf(message));
    },
  };
}

/** The JSON of a message has no line breaks. */
function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
