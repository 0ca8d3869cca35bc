import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a loopback server got. */
export interface GotRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where it is JSON; undefined when there was none. */
  readonly body: unknown;
}

export interface Loopback extends AsyncDisposable {
  readonly origin: string;
  readonly got: readonly GotRequest[];
}

/** Serves HTTP on a free port of this machine. What the handler returns is answered as JSON; undefined = it answered itself. */
export async function serveLoopback(
  answer: (request: GotRequest, response: ServerResponse) => unknown,
): Promise<Loopback> {
  const got: GotRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    const received = { method, path, headers, body: text ? JSON.parse(text) : undefined };
    got.push(received);
    const body = answer(received, response);
    if (body === undefined) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
