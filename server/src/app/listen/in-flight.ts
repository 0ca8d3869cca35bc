import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Tracks the requests without a complete response and the upgraded sockets, and resolves when there are none. */
export class InFlight {
  readonly #responses = new Set<ServerResponse>();
  readonly #sockets = new Set<Duplex>();
  #waiting: (() => void)[] = [];
  #closing = false;

  /** Tracks a request until its response is sent or aborted. */
  add(response: ServerResponse): void {
    this.#responses.add(response);
    if (this.#closing) closeAfter(response);
    response.once("close", () => {
      this.#responses.delete(response);
      this.#resolveWhenEmpty();
    });
  }

  /** Tracks an upgraded connection until it is closed. */
  addSocket(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#resolveWhenEmpty();
    });
  }

  /** From now on each response closes its connection. Resolves when nothing is in flight. */
  drained(): Promise<void> {
    this.#closing = true;
    for (const response of this.#responses) closeAfter(response);
    return this.#isEmpty ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  get #isEmpty(): boolean {
    return this.#responses.size === 0 && this.#sockets.size === 0;
  }

  #resolveWhenEmpty(): void {
    if (this.#isEmpty) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** HTTP/1.1 sends `Connection: close`; HTTP/2 has sent GOAWAY for the whole session. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent && !("stream" in response)) response.shouldKeepAlive = false;
}
