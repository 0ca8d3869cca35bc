import type { ServerResponse } from "node:http";

/** Counts the requests that are being answered, and says when there are none. */
export class InFlight {
  readonly #responses = new Set<ServerResponse>();
  #waiting: (() => void)[] = [];
  #closing = false;

  /** Counts a request until its answer is out or broken off. */
  add(response: ServerResponse): void {
    this.#responses.add(response);
    if (this.#closing) lastOfConnection(response);
    response.once("close", () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** From now on each answer is the last of its connection. Resolves when no request is left. */
  drained(): Promise<void> {
    this.#closing = true;
    for (const response of this.#responses) lastOfConnection(response);
    return this.#responses.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** HTTP/1.1 says so in a header; HTTP/2 has said it for the whole session (GOAWAY). */
function lastOfConnection(response: ServerResponse): void {
  if (!response.headersSent && !("stream" in response)) response.shouldKeepAlive = false;
}
