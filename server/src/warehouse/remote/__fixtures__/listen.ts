import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that a fake server got. */
interface FakeCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Listens on a free port of the loopback interface, and keeps what was called. */
export async function listen(answer: (call: FakeCall, response: ServerResponse, origin: string) => void) {
  const calls: FakeCall[] = [];
  let origin = "";
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      method: request.method ?? "",
      url: new URL(request.url ?? "", origin),
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    calls.push(call);
    answer(call, response, origin);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    calls,
    host: origin.slice("http://".length),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
