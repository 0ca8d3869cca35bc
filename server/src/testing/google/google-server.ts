import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "#base";

/** A request as a service of Google Cloud gets it. */
export interface GoogleRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly message: JsonObject;
}

/** What it answers: a message, or an error with its HTTP status. `reason` is what the older services add in `errors`. */
export type GoogleReply = JsonObject | Failure;

interface Failure {
  readonly status: number;
  readonly errorMessage: string;
  readonly retryAfter?: string;
  readonly reason?: string;
}

export interface GoogleServer extends AsyncDisposable {
  /** `http://127.0.0.1:…`. */
  readonly address: string;
  /** Every request so far. */
  readonly requests: GoogleRequest[];
}

/** A service of Google Cloud at the edge, on loopback, with Google's REST conventions: bearer tokens, errors as `google.rpc.Status`. */
export async function startGoogleServer(
  answer: (request: GoogleRequest) => GoogleReply | Promise<GoogleReply>,
): Promise<GoogleServer> {
  const requests: GoogleRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch((error: unknown) =>
      reply(outgoing, { status: 500, errorMessage: String(error) }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const { authorization } = incoming.headers;
    const request = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      authorization,
      message: isJsonObject(body) ? body : {},
    };
    requests.push(request);
    if (!authorization?.startsWith("Bearer "))
      return reply(outgoing, { status: 401, errorMessage: "Request had no token." });
    reply(outgoing, await answer(request));
  }

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function reply(outgoing: ServerResponse, answer: GoogleReply): void {
  const failed = "errorMessage" in answer && typeof answer.status === "number";
  const { status, errorMessage, retryAfter, reason } = failed ? (answer as Failure) : OK;
  outgoing.statusCode = status;
  outgoing.setHeader("content-type", "application/json; charset=UTF-8");
  if (retryAfter !== undefined) outgoing.setHeader("retry-after", retryAfter);
  outgoing.end(
    JSON.stringify(
      failed
        ? {
            error: {
              code: status,
              message: errorMessage,
              ...(reason && { errors: [{ reason, message: errorMessage }] }),
            },
          }
        : answer,
    ),
  );
}

const OK: Failure = { status: 200, errorMessage: "" };
