import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What arrived, as the wire had it. */
interface Echo {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An HTTP server on loopback that remembers what it was sent. */
export interface EchoServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly Echo[];
  /** The newest request. */
  last(): Echo;
}

/** Starts a server; it answers `{"ok": true}` unless `answer` does. */
export async function startEchoServer(
  answer: (...exchange: [...Parameters<RequestListener>, Echo]) => void = (_request, response) =>
    response.setHeader("content-type", "application/json").end('{"ok":true}'),
): Promise<EchoServer> {
  const requests: Echo[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const echo = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
      requests.push(echo);
      answer(request, response, echo);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    last: () => {
      const request = requests.at(-1);
      if (!request) throw new Error("nothing arrived");
      return request;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
