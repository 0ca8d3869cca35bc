import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as it arrived. */
interface Received {
  readonly id: string;
  /** Whether the signature is right for the secret. */
  readonly isSigned: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any receiver would
  readonly body: any;
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly secret: string;
  readonly received: readonly Received[];
  /** What the next messages are answered with; then 200. */
  readonly statuses: number[];
}

/** A program that gets webhooks, on a port of this machine, and checks them as the Standard Webhooks specification says. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const key = randomBytes(32);
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = request.headers;
    const expected = createHmac("sha256", key).update(`${id}.${time}.${text}`).digest("base64");
    received.push({ id: String(id), isSigned: signature === `v1,${expected}`, body: JSON.parse(text) });
    response.writeHead(statuses.shift() ?? 200).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T0KEN`,
    secret: `whsec_${key.toString("base64")}`,
    received,
    statuses,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
