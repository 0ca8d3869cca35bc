import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "#base";

/** What the fake answers one request with. */
export interface FakeReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent piece by piece, each in a write of its own; a promise among them is waited for. */
  readonly pieces?: readonly (string | Uint8Array | Promise<void>)[];
  /** After the pieces: end the answer, send nothing more, or break the connection. Default "end". */
  readonly afterwards?: "end" | "hang" | "break";
}

/** What the fake was sent. */
interface FakeRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** A provider's API: a real HTTP server that sends the given replies in turn and records its requests. */
interface FakeProvider extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** Resolves when a client closes a connection before the answer has ended. */
  readonly disconnected: Promise<void>;
  /** How many connections were opened. */
  connections(): number;
}

/** Starts the fake. A request beyond the last reply is answered with 599, which is never tried again. */
export async function fakeProvider(...replies: readonly FakeReply[]): Promise<FakeProvider> {
  const requests: FakeRequest[] = [];
  const disconnected = Promise.withResolvers<void>();
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonObject;
    const reply = replies[requests.length] ?? { status: 599, pieces: ["no reply is left in the fake"] };
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    response.on("close", () => {
      if (!response.writableEnded) disconnected.resolve();
    });
    await send(reply, response);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    disconnected: disconnected.promise,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send({ status = 200, headers, pieces = [], afterwards = "end" }: FakeReply, response: ServerResponse): Promise<void> {
  response.socket?.setNoDelay(true);
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const piece of pieces) {
    if (piece instanceof Promise) await piece;
    else response.write(piece);
    await nextTurn();
  }
  if (afterwards === "end") response.end();
  else if (afterwards === "break") response.socket?.resetAndDestroy();
}

/** A fixture as a stream of events, cut every `size` bytes wherever that falls. */
export function eventStream(directory: string, file: string, size = Number.POSITIVE_INFINITY): FakeReply {
  return { headers: { "content-type": "text/event-stream" }, pieces: cut(readFileSync(`${directory}/__fixtures__/${file}`), size) };
}

/** A fixture as one JSON document. */
export function jsonDocument(directory: string, file: string, status = 200): FakeReply {
  const headers = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers, pieces: [readFileSync(`${directory}/__fixtures__/${file}`)] };
}

/** Bytes in pieces of a size, wherever the cuts fall. */
export function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
  return pieces;
}
