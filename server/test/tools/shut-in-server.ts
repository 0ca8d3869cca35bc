import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";

const read = (name: string) => readFileSync(join(import.meta.dirname, "..", "wire", "__fixtures__", name), "utf8");

/** A certificate for localhost that nobody signed but itself, its key, and its DER as definitions of tools take it. */
export const OWN_CERTIFICATE = read("localhost.crt");
export const OWN_KEY = read("localhost.key");
export const OWN_CA = OWN_CERTIFICATE.replaceAll(/-----[^-]+-----|\s/g, "");

/** What arrived over TLS. */
interface ShutInRequest {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Whether the client showed a certificate that this server trusts. */
  readonly known: boolean;
}

export interface ShutInServer extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly ShutInRequest[];
}

/** An HTTPS server behind a private authority that asks its clients for their certificates, and lets everybody speak. */
export async function startShutInServer(
  answer: (request: ShutInRequest, response: ServerResponse) => unknown,
): Promise<ShutInServer> {
  const requests: ShutInRequest[] = [];
  const tls = {
    cert: OWN_CERTIFICATE,
    key: OWN_KEY,
    ca: OWN_CERTIFICATE,
    requestCert: true,
    rejectUnauthorized: false,
  };
  const server = createServer(tls, async (request, response) => {
    const { url = "", headers, socket } = request;
    const got = { url, headers, body: await text(request), known: (socket as TLSSocket).authorized };
    requests.push(got);
    const json = answer(got, response);
    if (json !== undefined) response.setHeader("content-type", "application/json").end(JSON.stringify(json));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
