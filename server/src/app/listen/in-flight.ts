import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Counts the requests that are being answered and the sockets that were taken over, and says when there are none. */
export class InFlight {
  readonly #responses = new Set<ServerResponse>();
  readonly #sockets = new Set<Duplex>();
  #waiting: (() => void)[] = [];
  #closing = false;

  /** Counts a request until its answer is out or broken off. */
  add(response: ServerResponse): void {
    this.#responses.add(response);
    if (this.#closing) lastOfConnection(response);
    response.once("close", () => {
      this.#responses.delete(response);
      this.#tell();
    });
  }

  /** Counts a connection that is no longer HTTP until it is closed. */
  addSocket(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#tell();
    });
  }

  /** From now on each answer is the last of its connection. Resolves when nothing is left. */
  drained(): Promise<void> {
    this.#closing = true;
    for (const response of this.#responses) lastOfConnection(response);
    return this.#isEmpty ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  get #isEmpty(): boolean {
    return this.#responses.size === 0 && this.#sockets.size === 0;
  }

  #tell(): void {
    if (this.#isEmpty) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** HTTP/1.1 says so in a header; HTTP/2 has said it for the whole session (GOAWAY). */
function lastOfConnection(response: ServerResponse): void {
  if (!response.headersSent && !("stream" in response)) response.shouldKeepAlive = false;
}
