import type { ServerResponse } from "node:http";

/** How long a client may take to read what was sent, milliseconds, before its connection is given up. */
const PATIENCE_MS = 30_000;

/** Answers that come in parts, as server-sent events (`text/event-stream`). */
export interface EventStream {
  /** Whether something was sent: then the answer must come here too. */
  readonly begun: boolean;
  /** Sends a message that may be lost: a client that reads too slowly misses it instead of filling the memory. */
  offer(message: string): void;
  /** Sends the last message and ends. */
  finish(message: string): void;
}

/** Opens on the first message, so that a call that has nothing to tell meanwhile can still be answered with plain JSON. */
export function createEventStream(response: ServerResponse): EventStream {
  const begin = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
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
      const timer = setTimeout(() => response.destroy(), PATIENCE_MS);
      timer.unref();
      response.once("close", () => clearTimeout(timer));
      response.end(eventOf(message));
    },
  };
}

/** JSON has no line breaks outside of strings, and none inside. */
function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
